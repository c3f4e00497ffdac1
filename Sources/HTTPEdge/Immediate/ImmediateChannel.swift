internal import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1

/// A connection of HTTP/1.1 within ``ConnectionLimits`` whose requests are answered on its event loop, by a call and without a task.
///
/// For questions whose bodies mean nothing and whose answers take microseconds (Docs/Decisions/0032). Anything else is for ``EdgeChannel``.
package struct ImmediateChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let connections: EdgeSetup
    private let respond: Respond
    private let refused: Refused

    /// Answers a request, or a request with a fault: its body did not arrive whole. Called on the event loop, so it must not block.
    package typealias Respond = @Sendable (ImmediateRequest, RequestFault?) -> ImmediateResponse
    /// Is told the status that a message without a head, or with a malformed one, was answered with. Called on the event loop.
    package typealias Refused = @Sendable (Int) -> Void

    /// - Parameter isUnlimited: whether an address may have any number of connections, as a proxy needs, which connects for many clients.
    package init(
        _ limits: ConnectionLimits, isUnlimited: @escaping @Sendable (String) -> Bool = { _ in false },
        refused: @escaping Refused = { _ in }, respond: @escaping Respond
    ) {
        connections = EdgeSetup(limits, isUnlimited: isUnlimited)
        self.refused = refused
        self.respond = respond
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.setUp(channel) { [refused, respond] channel, limits in
            try Self.addHandlers(to: channel.pipeline.syncOperations, limits, refused: refused, respond: respond)
            return Value(channel: channel)
        }
    }

    package static func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, _ limits: ConnectionLimits, refused: @escaping Refused,
        respond: @escaping Respond
    ) throws {
        try pipeline.addHandler(ConnectionGuard(limits: limits, refused: refused))
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits.parser)))
        try pipeline.addHandler(ImmediateExchange(bodyBytes: limits.bodyBytes, respond: respond))
    }

    /// Ends with the connection. Cancelling closes it.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}
