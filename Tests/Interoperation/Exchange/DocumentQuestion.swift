import JWSDocuments
import JWTCore
import JWTSigning

/// A question about a document in JWS JSON serialization.
struct DocumentQuestion {
    private let question: JSONTree
    private let payload: [UInt8]
    private let isUnencoded: Bool

    init(_ question: JSONTree) throws {
        self.question = question
        payload = Array(question["payload"]?.text?.utf8 ?? "".utf8)
        isUnencoded = question["b64"] == .bool(false)
    }

    /// A document by keys of its own, with them.
    ///
    /// The question has the `payload`, a list of `algorithms`, and whether the document is `flattened` and `detached`, and `b64`.
    var document: JSONTree {
        get throws {
            var signatures: [JSONTree] = [], keys: [JSONTree] = []
            for (place, name) in (question["algorithms"]?.names ?? []).enumerated() {
                guard let algorithm = SignatureAlgorithm(name: name), let key = SigningKey.generate(algorithm, keyID: "key-\(place)"),
                    let jwk = key.publicJWK, let signature = signature(key)
                else { throw MissingMember(name: name) }
                signatures.append(signature)
                keys.append(try JSONTree(parsing: Array(jwk.utf8)))
            }
            var members: [String: JSONTree] = ["signatures": .array(signatures)]
            if question["flattened"] == .bool(true) { members = signatures[0].members ?? [:] }
            if question["detached"] != .bool(true) { members["payload"] = .string(String(decoding: written, as: UTF8.self)) }
            return .object(["text": .string(JSONTree.object(members).string), "keys": .array(keys)])
        }
    }

    private var written: [UInt8] { isUnencoded ? payload : Base64URL.encode(payload) }

    private func signature(_ key: SigningKey) -> JSONTree? {
        var header: [String: JSONTree] = ["alg": .string(key.algorithm.name)]
        if isUnencoded { header.merge(["b64": .bool(false), "crit": .array([.string("b64")])]) { $1 } }
        let protected = Base64URL.encode(JSONTree.object(header).json)
        guard let signature = key.signature(of: protected + [UInt8(ascii: ".")] + written) else { return nil }
        return .object([
            "protected": .string(String(decoding: protected, as: UTF8.self)),
            "header": .object(["kid": .string(key.keyID ?? "")]),
            "signature": .string(String(decoding: Base64URL.encode(signature), as: UTF8.self)),
        ])
    }

    /// The payload of a document as text, or the code.
    ///
    /// The question has `text`, `keys`, `requirement` (`one` or `all`), the allowed `algorithms`, and the `payload` if it is `detached`.
    var verdict: JSONTree {
        get throws {
            let keys = try KeySet(jwks: JSONTree.object(["keys": question["keys"] ?? .array([])]).string)
            var policy = DocumentPolicy(requirement: question["requirement"]?.text == "one" ? .one : .all)
            if let names = question["algorithms"]?.names {
                policy.algorithms = AlgorithmSet(names.compactMap(SignatureAlgorithm.init(name:)))
            }
            policy.allowsUnprotectedAlgorithm = question["unprotected"] == .bool(true)
            let verifier = DocumentVerifier(keys: keys, policy: policy), text = try question.required("text")
            do throws(DocumentError) {
                let isDetached = question["detached"] == .bool(true)
                let document = isDetached ? try verifier.verify(text, detached: payload) : try verifier.verify(text)
                return .object([
                    "payload": .string(String(decoding: document.payload, as: UTF8.self)),
                    "held": .array(document.signatures.map { .number("\($0.position)") }),
                ])
            } catch {
                return .object(["code": .string(error.code.name), "cause": error.cause.map { .string($0.code.name) } ?? .null])
            }
        }
    }
}
