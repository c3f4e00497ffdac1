import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// The limits that Docs/IDaaS.md names are those that the server has: a request at the limit passes, and a larger one does not.
@Suite struct DocumentedLimitTests: ServerTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../../Docs/IDaaS.md")

    /// The number in the row of the page's table that starts with `limit`.
    private static func documented(_ limit: String) throws -> Int {
        let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n")
        let row = try #require(rows.first { $0.hasPrefix("| \(limit)") }, "\(limit)")
        let cell = row.split(separator: "|")[1].filter { $0 != "," }
        return try #require(Int(cell.trimmingCharacters(in: .whitespaces)), "\(row)")
    }

    struct Body: Sendable, CustomTestStringConvertible {
        let limit: String
        let text: @Sendable (Int) -> String

        var testDescription: String { limit }

        static let all = [
            Body(limit: "depth of arrays and objects") { depth in
                "{\"a\":" + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
            },
            Body(limit: "members of an object") { count in "{" + (0..<count).map { "\"m\($0)\":1" }.joined(separator: ",") + "}" },
            // The object and its array are values too.
            Body(limit: "values of a body") { count in
                "{\"a\":[" + [String](repeating: "1", count: count - 2).joined(separator: ",") + "]}"
            },
            Body(limit: "bytes of a number") { count in "{\"a\":" + String(repeating: "1", count: count) + "}" },
        ]
    }

    @Test(arguments: Body.all)
    func aBodyAtTheLimitIsReadAndALargerOneIsNot(_ body: Body) throws {
        let limit = try Self.documented(body.limit)
        #expect(throws: Never.self) { try JSONBody(text: Array(body.text(limit).utf8)) }
        #expect(throws: ServiceError(.invalidFormat, "body")) { try JSONBody(text: Array(body.text(limit + 1).utf8)) }
    }

    @Test(.liveServer)
    func theBytesOfABodyAreLimited() async throws {
        let limit = try Self.documented("bytes of a body")
        let fields = wire.fields + [("Content-Type", "application/json")]
        for (count, status) in [(limit, 400), (limit + 1, 413)] {
            let body = Array("{}".utf8) + [UInt8](repeating: 0x20, count: count - 2)
            #expect(try await wire.send("POST", "/api/v2/sdk/sms/send", fields, body: body).status == status, "\(count) bytes")
        }
    }

    @Test(.liveServer)
    func theFieldsOfAHeaderAreLimited() async throws {
        let count = try Self.documented("header fields"), bytes = try Self.documented("bytes of all header fields")
        let many = { (count: Int) in (0..<count).map { "X-F-\($0): a\r\n" }.joined() }
        // A name of one byte, and the 4 bytes that each field counts besides.
        let long = { (bytes: Int) in "X: " + String(repeating: "a", count: bytes - 5) + "\r\n" }
        for (fields, status) in [(many(count), 200), (many(count + 1), 400), (long(bytes), 200), (long(bytes + 1), 400)] {
            // The field Host is not among those that the server counts.
            let reply = try await RawConnection.exchange(server.ready.port, "GET /healthz HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
            #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(fields.count) bytes: \(reply.prefix(40))")
        }
    }
}
