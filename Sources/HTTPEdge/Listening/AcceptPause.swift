internal import Logging
internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Stops accepting for a moment when the process or the system has no descriptors left.
///
/// The socket stays readable then, and the event loop would call accept without end: NIO's own handler delays the next read, but leaves the
/// socket registered.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(500)
    private static let exhausted: Set = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let listener: String
    private let logger: Logger
    private var isPaused = false

    init(listener: String, logger: Logger) {
        self.listener = listener
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, Self.exhausted.contains(code) else { return context.fireErrorCaught(error) }
        guard !isPaused else { return }
        isPaused = true
        logger.warning("no connection can be accepted", metadata: ["listener": "\(listener)", "error": "\(error)"])
        let channel = context.channel
        channel.eventLoop.assumeIsolated().execute { channel.setOption(.autoRead, value: false).whenComplete { _ in } }
        channel.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPaused = false
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }
}
