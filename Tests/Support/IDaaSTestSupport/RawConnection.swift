internal import Foundation
internal import NIOCore
internal import NIOPosix

/// A connection that sends any text, HTTP or not.
package enum RawConnection {
    /// Sends `text` to a port of 127.0.0.1. Returns the answer until the end of the first head, with the bytes that follow immediately.
    package static func exchange(_ port: Int, _ text: String) async throws -> String {
        let channel = try await connect(port, sending: text)
        return try await channel.executeThenClose { inbound, _ in
            var received = ""
            for try await part in inbound {
                received += String(buffer: part)
                if isWhole(received) { break }
            }
            return received
        }
    }

    /// Sends `texts` in sequence as the server takes them. Returns all received bytes until the server closes.
    ///
    /// - Parameters:
    ///   - address: the local address; Linux has all of 127.0.0.0/8.
    ///   - reads: whether to read the answer before everything is sent.
    package static func untilClosed(_ port: Int, _ texts: [String], from address: String = "127.0.0.1", reads: Bool = true) async throws
        -> (sent: Int, received: String)
    {
        let channel = try await connect(port, from: address, sending: texts[0], receives: reads ? nil : 65_536)
        return try await channel.executeThenClose { inbound, outbound in
            let sent = Task {
                var sent = 1
                for text in texts.dropFirst() {
                    do { try await outbound.write(ByteBuffer(string: text)) } catch { break }
                    sent += 1
                }
                return sent
            }
            if !reads { _ = await sent.value }
            var received = ""
            // A reset also ends the connection.
            do { for try await part in inbound { received += String(buffer: part) } } catch is IOError {}
            return (await sent.value, received)
        }
    }

    /// Sends `start`, and then `drop` twenty times a second until the server closes. Returns all received bytes.
    package static func drip(_ port: Int, _ start: String, then drop: String) async throws -> String {
        let channel = try await connect(port, sending: start)
        let pace = TimeAmount.milliseconds(50)
        return try await channel.executeThenClose { inbound, _ in
            let (connection, bytes) = (channel.channel, ByteBuffer(string: drop))
            let dripping = connection.eventLoop.scheduleRepeatedTask(initialDelay: pace, delay: pace) { _ in
                connection.writeAndFlush(bytes, promise: nil)
            }
            defer { dripping.cancel() }
            var received = ""
            // A reset also ends the connection.
            do { for try await part in inbound { received += String(buffer: part) } } catch is IOError {}
            return received
        }
    }

    /// Connects, and sends a text on the event loop: a task of a busy process could come later than the server waits for the first byte.
    /// - Parameter bytes: the size of the socket's buffer; nil: as the system likes, which may be more than a test sends.
    private static func connect(
        _ port: Int, from address: String = "127.0.0.1", sending text: String, receives bytes: Int? = nil
    ) async throws
        -> NIOAsyncChannel<ByteBuffer, ByteBuffer>
    {
        var client = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let bytes { client = client.channelOption(.socketOption(.so_rcvbuf), value: bytes) }
        return try await client.bind(to: SocketAddress(ipAddress: address, port: 0))
            .connect(host: "127.0.0.1", port: port)
            .flatMapThrowing { channel in
                channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
            .get()
    }

    /// Whether the head is complete, and the body has its announced length.
    private static func isWhole(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let fields = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
        let length = fields.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        return text[end.upperBound...].utf8.count >= length ?? 0
    }
}
