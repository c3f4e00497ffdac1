import NIOCore
import NIOPosix

/// A gateway as a client: sends texts to a listener and reads its answers.
enum GatewayClient {
    struct Answer {
        let status: Int
        let head: String
        let body: String

        /// The value of a field; nil without it.
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").map(String.init).first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
                .map { $0.dropFirst(name.count + 1).trimmingPrefix { $0 == " " } }.map(String.init)
        }
    }

    /// Sends a request and reads its answer. Nil if the connection ends without one.
    static func exchange(_ place: String, _ text: String) async throws -> Answer? {
        let channel = try await connect(place, sending: text), isHead = text.hasPrefix("HEAD ")
        return try await channel.executeThenClose { inbound, _ in
            var received = ""
            do {
                for try await part in inbound {
                    received += String(buffer: part)
                    if let answer = answer(in: received, isHead: isHead) { return answer }
                }
            } catch is IOError {}
            return answer(in: received, isHead: isHead)
        }
    }

    /// Sends bytes, and reads until the service closes the connection.
    static func untilClosed(_ place: String, _ bytes: [UInt8]) async throws {
        let channel = try await connect(place, sending: ByteBuffer(bytes: bytes))
        try await channel.executeThenClose { inbound, _ in
            // A reset also ends the connection.
            do { for try await _ in inbound {} } catch is IOError {}
        }
    }

    static func get(_ place: String, _ path: String, fields: [String] = []) async throws -> Answer? {
        let host = place.hasPrefix("unix:") ? "localhost" : place
        return try await exchange(place, request("GET", path, host: host, fields))
    }

    static func request(_ method: String, _ path: String, host: String, _ fields: [String] = [], body: String = "") -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return (["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields + length).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// Connects, and sends a text on the event loop: a task of a busy process could come later than the server waits for the first byte.
    static func connect(_ place: String, sending text: String = "") async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await connect(place, sending: ByteBuffer(string: text))
    }

    private static func connect(_ place: String, sending bytes: ByteBuffer) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let colon = place.lastIndex(of: ":") ?? place.endIndex
        let connection =
            place.hasPrefix("unix:")
            ? bootstrap.connect(unixDomainSocketPath: String(place.dropFirst(5)))
            : bootstrap.connect(host: String(place[..<colon]), port: Int(place[colon...].dropFirst()) ?? 0)
        return try await connection.flatMapThrowing { channel in
            if bytes.readableBytes > 0 { channel.writeAndFlush(bytes, promise: nil) }
            return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
        .get()
    }

    /// The answer, once its head and its announced body are whole. The answer to a HEAD announces a body that does not come.
    private static func answer(in text: String, isHead: Bool) -> Answer? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let head = String(text[..<end.lowerBound]), body = String(text[end.upperBound...])
        let answer = Answer(status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: head, body: body)
        return isHead || body.utf8.count >= answer.field("content-length").flatMap { Int($0) } ?? 0 ? answer : nil
    }
}
