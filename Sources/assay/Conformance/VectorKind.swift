import CommandProgram
import JWTCore

/// What a file of Assay's own vectors holds, as its member `kind` says.
enum VectorKind: String {
    case tokens, jwks, cache, statuslists, events, dpop, certificates, encrypted, selective, documents, manifest

    private struct Head: Decodable {
        let kind: String
    }

    /// Nil for a file of another format.
    init?(_ data: [UInt8]) {
        guard let head = try? JSONTree.decode(Head.self, from: data) else { return nil }
        self.init(rawValue: head.kind)
    }

    /// The members of a file that all its cases share: keys, `policy` and `now`.
    static func shared(_ data: [UInt8]) -> [String: JSONTree] {
        let members = (try? JSONTree(parsing: data))?.members ?? [:]
        return members.filter { ["keys", "decryption_keys", "policy", "now"].contains($0.key) }
    }

    /// Reads a file of a known kind.
    ///
    /// - Throws: a usage error that names the member that is wrong.
    static func contents<Contents: Decodable>(_ type: Contents.Type, _ path: String, _ data: [UInt8]) throws -> Contents {
        do {
            return try JSONTree.decode(type, from: data)
        } catch {
            throw CommandFailure.usage("\(path): \(CommandFailure.sentence(for: error))")
        }
    }
}
