import FuzzInput
import JWSDocuments
import JWTCore
import JWTSigning

/// Documents that are written by their parts, and the judging of accepted ones once more.
enum WrittenDocument {
    /// A document of a payload, then a protected and an unprotected header for each signature. An empty text stands for a header that is absent.
    ///
    /// - Parameter kind: bit 0: in general serialization; bit 1: an unencoded payload, which stands in JSON as it is; bit 2: by the HMAC.
    static func text(_ kind: UInt8, _ reader: inout InputReader) -> [UInt8] {
        let payload = reader.part(until: 0xff), written = kind & 2 == 2 ? payload : Base64URL.encode(payload)
        let key = kind & 4 == 4 ? Keys.hs256 : Keys.ed25519
        var signatures: [[UInt8]] = []
        repeat {
            let protected = Base64URL.encode(reader.part(until: 0xff)), open = reader.part(until: 0xff)
            let signature = key.signature(of: protected + [UInt8(ascii: ".")] + written) ?? []
            var members = #""signature":"\#(Keys.text(signature))""#
            if !protected.isEmpty { members += #","protected":"\#(String(decoding: protected, as: UTF8.self))""# }
            signatures.append(Array(members.utf8) + (open.isEmpty ? [] : Array(#","header":"#.utf8) + open))
        } while !reader.isAtEnd && kind & 1 == 1
        let start = Array(#"{"payload":""#.utf8) + written + Array(#"","#.utf8)
        guard kind & 1 == 1 else { return start + signatures[0] + Array("}".utf8) }
        let list = signatures.map { Array("{".utf8) + $0 + Array("}".utf8) }.joined(separator: [UInt8(ascii: ",")])
        return start + Array(#""signatures":["#.utf8) + list + Array("]}".utf8)
    }

    /// Traps unless every signature that holds is that of its key, and the other forms of the document have the same outcome.
    static func check(_ text: [UInt8], _ outcome: Outcome, _ verifier: DocumentVerifier<KeySet>) {
        guard let document = (try? JSONTree(parsing: text))?.members, let payload = outcome.payload,
            let written = document["payload"]?.text.map({ Array($0.utf8) })
        else { preconditionFailure("accepted without a payload") }
        precondition(payload == written || Base64URL.encode(payload) == written, "another payload")
        let signatures = document["signatures"]?.elements ?? [.object(document)]
        for (place, algorithm) in outcome.held {
            guard let members = signatures[place].members else { preconditionFailure("a signature that is no object") }
            let protected = Array((members["protected"]?.text ?? "").utf8)
            let key = algorithm.isSymmetric ? Keys.hs256 : Keys.ed25519
            let signature = key.signature(of: protected + [UInt8(ascii: ".")] + written).map { Keys.text($0) }
            precondition(members["signature"]?.text == signature, "another signature holds")
        }
        var detached = document
        detached["payload"] = nil
        let again = Outcome(verifier, JSONTree.object(detached).json, detached: payload)
        precondition(again == outcome, "a detached payload makes a difference")
        precondition(!Outcome(verifier, text, detached: payload).isAccepted, "two payloads")
        if document["signatures"] == nil {
            let names: Set = ["signature", "protected", "header"], own = document.filter { names.contains($0.key) }
            let general = JSONTree.object(["payload": document["payload"] ?? .null, "signatures": .array([.object(own)])])
            let other = Outcome(verifier, general.json)
            // A list of signatures is deeper.
            precondition(other == outcome || other.error?.cause?.code == .nestingTooDeep, "the serializations differ")
        }
    }
}
