import FuzzInput
import JWKSCache
import JWTCore
import JWTSigning

/// Fuzzes key documents: a JWK Set, a JWK, PEM or DER, and as a published set, in which a shared secret is no key.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 0, by: .keys)
}

let policy = {
    var policy = ClaimsPolicy()
    policy.requiresExpiration = false
    return policy
}()
let tokens = [Keys.es256, Keys.ed25519, Keys.rs256].map {
    Keys.token($0, header: Array(#"{"alg":"\#($0.algorithm.name)"}"#.utf8), payload: Array("{}".utf8))
}

Fuzzer.useLibcrypto()
Fuzzer.run { document in
    checkPublished(document)
    do throws(VerificationError) {
        let keys = try KeySet(document: document.span)
        precondition(keys.keys.count <= KeySet.maximumKeys && keys.hasSameKeys(as: keys))
        precondition(!keys.description.contains("WlpaWlpa") && !String(reflecting: keys).contains("WlpaWlpa"), "a secret in a description")
        for key in keys.keys { check(key, keys) }
        let alone = try KeySet(keys.keys)
        precondition(alone.hasSameKeys(as: keys), "the keys alone are another set")
        let verifier = TokenVerifier(keys: keys, policy: policy)
        for token in tokens { _ = Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: 0) } }
    } catch {
        ReachedCodes.note(error)
    }
    checkForms(document)
}

/// A document as bytes and as text has the same keys.
func checkForms(_ document: [UInt8]) {
    do throws(VerificationError) { _ = try VerificationKey(importing: document) } catch { ReachedCodes.note(error) }
    do throws(VerificationError) { _ = try VerificationKey(secret: document, algorithm: .hs256) } catch { ReachedCodes.note(error) }
    guard let text = String(validating: document, as: UTF8.self) else { return }
    precondition((try? KeySet(document: text))?.keys.count == (try? KeySet(document: document))?.keys.count, "another set")
    precondition((try? KeySet(jwk: text))?.keys.count == (try? KeySet(jwk: document))?.keys.count, "another pinned key")
    let keys = [try? VerificationKey(jwk: text), try? VerificationKey(jwk: document), try? VerificationKey(pem: text)]
    precondition((keys[0] == nil) == (keys[1] == nil), "another key")
}

func check(_ key: VerificationKey, _ keys: KeySet) {
    if let reason = key.unusableReason { ReachedCodes.note(reason.name) }
    precondition(key.unusableReason != nil || key.bits > 0 && !key.algorithms.algorithms.isEmpty, "a usable key without an algorithm")
    precondition(key.type != .oct || key.thumbprint == nil, "the thumbprint of a secret")
    _ = (key.typeName, key.curve, key.curveName, key.algorithmName, key.use, key.operations, key.advisories)
    if let name = key.keyID { precondition(keys[keyID: name].contains { $0 === key }, "a key is not found by its name") }
}

func checkPublished(_ document: [UInt8]) {
    for format in [KeySetSource.Format.jwks, .spiffeBundle] {
        do throws(RefreshFailure) {
            let published = try KeyDocument(document, format, reusing: nil)
            precondition(!published.keys.keys.contains { $0.unusableReason == nil && $0.type == .oct }, "a published secret is used")
            let again = try KeyDocument(document, format, reusing: published.keys)
            precondition(again.keys.hasSameKeys(as: published.keys), "a second reading differs")
        } catch {
            ReachedCodes.note("refresh." + error.code)
            if case .invalidDocument(let inner) = error { ReachedCodes.note(inner) }
        }
    }
}
