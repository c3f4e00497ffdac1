import AssayTesting
import JWTCore
import SelectiveDisclosure

/// A question about an SD-JWT.
struct PresentationQuestion {
    private let question: JSONTree

    init(_ question: JSONTree) { self.question = question }

    /// A presentation by keys of its own, with them.
    ///
    /// The question has `claims`, what to `hide` and what to `disclose`, and for key binding `audience` and `nonce`; and `at`.
    var presentation: JSONTree {
        get throws {
            let issuer = try TestKey(.es256), holder = try TestKey(.es256, keyID: nil)
            let audience = question["audience"]?.text
            let claims = question["claims"]?.members ?? [:]
            let credential = try issuer.disclosableToken(
                claims: claims.mapValues(Written.init), hiding: question["hide"]?.names ?? [], holder: audience.map { _ in holder },
                decoys: 2,
                type: "example+sd-jwt")
            let paths = question["disclose"]?.names ?? []
            var text = credential.presentation(disclosing: paths)
            if let audience {
                let now = NumericDate(seconds: question["at"]?.integer ?? 0)
                text = try credential.presentation(
                    disclosing: paths, provenBy: holder, audience: audience, nonce: question.required("nonce"), at: now)
            }
            return .object(["text": .string(text), "issuer": try JSONTree(parsing: Array((issuer.publicJWK ?? "").utf8))])
        }
    }

    /// The claims of a presentation, or the code.
    ///
    /// The question has `text`, the `issuer`'s JWK, `at`, and for key binding `audience` and `nonce`.
    var verdict: JSONTree {
        get throws {
            let keys = try KeySet(jwk: (question["issuer"] ?? .null).string)
            var claims = ClaimsPolicy()
            claims.requiresExpiration = false
            var policy = PresentationPolicy(claims: claims, keyBinding: .absent)
            if let audience = question["audience"]?.text {
                policy.keyBinding = .required(KeyBindingPolicy(audience: audience, nonce: question["nonce"]?.text))
            }
            do throws(PresentationError) {
                let now = NumericDate(seconds: question["at"]?.integer ?? 0)
                let presentation = try PresentationVerifier(keys: keys, policy: policy).verify(question["text"]?.text ?? "", now: now)
                return .object(["claims": (try? JSONTree(parsing: presentation.payload)) ?? .null])
            } catch {
                return .object(["code": .string(error.code.name), "cause": error.cause.map { .string($0.code.name) } ?? .null])
            }
        }
    }
}

/// A value of a question, as it is written there.
private struct Written: Encodable {
    let tree: JSONTree

    func encode(to encoder: any Encoder) throws {
        switch tree {
        case .object(let members): try members.mapValues { Written(tree: $0) }.encode(to: encoder)
        case .array(let elements): try elements.map { Written(tree: $0) }.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .bool(let bool): try bool.encode(to: encoder)
        case .number: try tree.integer.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
