import FuzzInput
import IDaaSServer
import JWTCore

/// Fuzzes the bodies of requests to the reference IDaaS: each is refused, or is an object as another reader of JSON finds it. Every member is
/// asked for as every type.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 0, by: requests)
}

let requests = JSONMutator(
    names: [
        "mobile", "code", "type", "token", "point", "sender", "captcha_token", "authorization_code", "nonce", "public_key", "random",
        "decision", "match_code", "username", "password",
    ],
    values: [#""13800000000""#, #""+86-13800000000""#, #""{\"x\":1.0,\"y\":5.0}""#, #"{"x":1.0,"y":5.0}"#, #""LOGIN""#, #""approve""#])

Fuzzer.run { input in
    let text = String(decoding: input, as: UTF8.self)
    _ = JSONBody.isJSON(text)
    do throws(ServiceError) {
        let body = try JSONBody(text: input)
        guard let document = try? KeySet.document(input.span) else { return }
        precondition(document.root.isObject, "a body that is no object")
        for name in ["mobile", "code", "point", "nonce", "decision"] { ask(body, name, document.root[name]?.utf8) }
    } catch {
        ReachedCodes.note("service.\(error.code)")
    }
}

func ask(_ body: JSONBody, _ name: String, _ expected: [UInt8]?) {
    do throws(ServiceError) {
        let text = try body.optionalString(name, limit: 64)
        precondition(text.map { Array($0.utf8) } == expected, "another text")
    } catch {
        ReachedCodes.note("service.\(error.code)")
    }
    do throws(ServiceError) { _ = try body.string(name) } catch { ReachedCodes.note("service.\(error.code)") }
    do throws(ServiceError) { _ = try body.optionalBool(name) } catch { ReachedCodes.note("service.\(error.code)") }
    do throws(ServiceError) { _ = try body.optionalInteger(name) } catch { ReachedCodes.note("service.\(error.code)") }
    do throws(ServiceError) { _ = try body.optionalText(name, limit: 64) } catch { ReachedCodes.note("service.\(error.code)") }
}
