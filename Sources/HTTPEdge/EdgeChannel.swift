package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// A connection of HTTP/1.1 within ``ConnectionLimits``, for Hummingbird to serve.
package struct EdgeChannel: HTTPChannelHandler {
    package typealias Value = AcceptedConnection

    package let responder: HTTPChannelHandler.Responder
    private let connections: EdgeSetup
    private let refused: @Sendable (Int) -> Void

    /// HTTP/1.1 within `limits`, answered by `responder`.
    ///
    /// - Parameters:
    ///   - isUnlimited: whether an address may have any number of connections, as a proxy needs, which connects for many clients.
    ///   - refused: is told the status that a message without a head, or with a malformed one, was answered with, at most once for each
    ///     connection. Called on the event loop, so it must not block.
    package init(
        _ limits: ConnectionLimits, isUnlimited: @escaping @Sendable (String) -> Bool = { _ in false },
        refused: @escaping @Sendable (Int) -> Void = { _ in }, responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.responder = responder
        self.refused = refused
        connections = EdgeSetup(limits, isUnlimited: isUnlimited)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.setUp(channel) { [refused] channel, limits in
            try Self.addHandlers(to: channel.pipeline.syncOperations, limits, refused: refused)
            let configuration = Value.Parts.Configuration(isOutboundHalfClosureEnabled: true)
            return Value(try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: configuration))
        }
    }

    package static func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, _ limits: ConnectionLimits, refused: @escaping @Sendable (Int) -> Void
    ) throws {
        try pipeline.addHandler(ConnectionGuard(limits: limits, refused: refused))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits.parser)
        try pipeline.addHandler(RequestGuard(bodyBytes: limits.bodyBytes))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    }

    package func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value.take(), logger: logger) }
}
