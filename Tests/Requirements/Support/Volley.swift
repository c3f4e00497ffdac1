import Foundation
import IDaaSTestSupport
import JWTTestSupport
import NIOCore
import NIOPosix
import Testing

/// Many requests at one instant, each on its own connection: all connect before the first one sends.
enum Volley {
    struct Reply: Sendable {
        let status: Int
        let body: String

        func string(_ name: String) -> String? {
            ((try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any])?[name] as? String
        }

        /// `ok`, or the code of the refusal without the common prefix.
        var outcome: String { status == 200 ? "ok" : string("error_code")?.replacing("IDAAS.SDK.", with: "") ?? "status \(status)" }
    }

    /// - Parameter body: nil for a request without one.
    static func fire(
        _ count: Int, _ wire: WireClient, _ path: String, _ fields: [(String, String)] = [], _ body: [String: Any]? = nil
    ) async throws -> [Reply] {
        try await fire([String](repeating: try request(wire, path, fields, body), count: count), at: wire)
    }

    /// The same request of several devices.
    static func fire(_ wires: [WireClient], _ path: String, _ body: [String: Any]) async throws -> [Reply] {
        guard let wire = wires.first else { return [] }
        return try await fire(try wires.map { try request($0, path, [], body) }, at: wire)
    }

    private static func fire(_ requests: [String], at wire: WireClient) async throws -> [Reply] {
        let port = try #require(URL(string: wire.url)?.port)
        let gate = Gate(for: requests.count)
        return try await withThrowingTaskGroup(of: Reply.self) { group in
            for text in requests { group.addTask { try await shot(text, at: port, gate) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func request(
        _ wire: WireClient, _ path: String, _ fields: [(String, String)], _ body: [String: Any]?
    ) throws -> String {
        let content = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) } ?? ""
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        let all =
            [("Host", "127.0.0.1"), ("Connection", "close"), ("Content-Length", "\(content.utf8.count)")] + type + wire.fields + fields
        return "POST \(path) HTTP/1.1\r\n\(all.map { "\($0.0): \($0.1)\r\n" }.joined())\r\n\(content)"
    }

    private static func shot(_ text: String, at port: Int, _ gate: Gate) async throws -> Reply {
        let connection = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
            }
        // A failed connection must not block the others.
        await gate.pass()
        return try await #require(connection).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var received = ""
            // The server closes the connection after its answer.
            for try await part in inbound { received += String(buffer: part) }
            return try reply(received)
        }
    }

    private static func reply(_ text: String) throws -> Reply {
        let end = try #require(text.range(of: "\r\n\r\n"))
        let status = try #require(Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)))
        return Reply(status: status, body: String(text[end.upperBound...]))
    }
}

extension [Volley.Reply] {
    /// The count of each outcome.
    var tally: [String: Int] { reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }
}
