#if IDaaS
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// A connection that says what it is told, HTTP or not.
package enum RawConnection {
    /// Sends `text` to a port of 127.0.0.1 and gives what comes back until the end of the first answer's head and what follows at once.
    package static func exchange(_ port: Int, _ text: String) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var received = ""
            for try await part in inbound {
                received += String(buffer: part)
                if isWhole(received) { break }
            }
            return received
        }
    }

    /// Whether the head is there, and as much of the body as it announces.
    private static func isWhole(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let fields = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
        let length = fields.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        return text[end.upperBound...].utf8.count >= length ?? 0
    }
}
#endif
