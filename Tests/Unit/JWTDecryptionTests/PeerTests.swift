import AssayTesting
import Foundation
import JWTCore
import JWTDecryption
import Testing

private let peerPython = ProcessInfo.processInfo.environment["ASSAY_JOSE_PYTHON"]

/// What other implementations encrypt opens here, and what is encrypted here opens there. The stage `encryption_peers` names their Python.
@Suite(.enabled(if: peerPython != nil))
struct PeerTests {
    private struct Case: Encodable {
        let place: Int
        let alg: String
        let enc: String
        let kid: String
        let encryptionKey: String
        let decryptionKey: String
        let content: String
        let token: String
    }

    private struct Answer: Decodable {
        let peer: String
        let place: Int
        let token: String
        let content: String
    }

    @Test func tokensPassBetweenImplementations() throws {
        let content = try Nested.token()
        let recipients = try Nested.kinds.flatMap { kind in try ContentEncryption.allCases.map { try Nested.recipient(kind, $0) } }
        let cases = try recipients.enumerated().map { place, recipient in
            // The others do not know that a secret may name its encryption.
            let key = recipient.privateJWK.replacing(#""alg":"\#(recipient.encryption.name)","#, with: "")
            return Case(
                place: place, alg: recipient.algorithm.name, enc: recipient.encryption.name, kid: recipient.keyID ?? "",
                encryptionKey: recipient.publicJWK ?? key, decryptionKey: key, content: content, token: try recipient.encrypted(content))
        }
        let answers = try JSONDecoder().decode([Answer].self, from: Self.run(JSONEncoder().encode(cases)))
        #expect(answers.count == 3 * cases.count && cases.count == 60)
        for answer in answers {
            let recipient = recipients[answer.place]
            #expect(answer.content == content, "\(answer.peer) reads \(recipient)")
            let expected = Self.hasShortCoordinate(answer.token) ? "invalid_ephemeral_key" : "valid"
            #expect(
                try Nested.verdict(answer.token, recipient) == expected, "\(answer.peer) writes \(recipient): \(answer.token.prefix(80))")
        }
    }

    /// RFC 7518 section 6.2.1.2 wants the full size; Authlib leaves out leading zeros, which on P-521 every second coordinate has.
    private static func hasShortCoordinate(_ token: String) -> Bool {
        let header = try? JSONTree(parsing: Parts(token)[0])
        guard let key = header?["epk"]?.members, let curve = key["crv"]?.text,
            let length = ["P-256": 43, "P-384": 64, "P-521": 88][curve]
        else { return false }
        return ["x", "y"].contains { key[$0]?.text?.utf8.count != length }
    }

    private static func run(_ input: Data) throws -> Data {
        let process = Process(), stdin = Pipe(), stdout = Pipe()
        process.executableURL = URL(fileURLWithPath: peerPython ?? "")
        process.arguments = [URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("peers.py").path]
        (process.standardInput, process.standardOutput) = (stdin, stdout)
        try process.run()
        let writer = Thread {
            try? stdin.fileHandleForWriting.write(contentsOf: input); try? stdin.fileHandleForWriting.close()
        }
        writer.start()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return output
    }
}
