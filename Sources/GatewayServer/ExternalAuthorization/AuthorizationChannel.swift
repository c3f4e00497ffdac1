#if Gateway
package import HTTPEdge
internal import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP2

/// A connection of HTTP/2 without TLS, for Hummingbird to serve: each stream is a call of ``AuthorizationService``.
///
/// Hummingbird's own HTTP/2 channel has NIO's limits, among them 200 reset streams in 30 seconds. Envoy resets a stream for every client
/// that goes away, so that clients could end the connection for all others.
package struct AuthorizationChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
    }

    private let service: AuthorizationService
    private let limits: AuthorizationLimits
    private let addresses: AddressCounts
    private let refused: @Sendable (Int) -> Void

    /// - Parameter refused: is told of each connection that is closed because its peer does not speak HTTP/2 (400) or does not open it in time
    ///   (408). The peer gets no such status. Called on the event loop, so it must not block.
    package init(
        service: AuthorizationService, limits: AuthorizationLimits, addresses: AddressCounts, refused: @escaping @Sendable (Int) -> Void
    ) {
        self.service = service
        self.limits = limits
        self.addresses = addresses
        self.refused = refused
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard addresses.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            try Self.addHandlers(to: channel, service, limits, refused: refused)
            return Value(channel: channel)
        }
    }

    /// Ends with the connection. Cancelling closes it.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    /// Adds the handlers of a connection.
    package static func addHandlers(
        to channel: any Channel, _ service: AuthorizationService, _ limits: AuthorizationLimits, refused: @escaping @Sendable (Int) -> Void
    ) throws {
        let management = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: TimeAmount(limits.idleTimeout), maxAge: nil, maxGraceTime: TimeAmount(limits.drainTimeout), keepalive: nil))
        let pipeline = channel.pipeline.syncOperations
        let executor = EventLoopExecutor(channel.eventLoop)
        try pipeline.addHandler(FirstGoAway())
        // Answers that the peer does not take stop the reading of further calls.
        try pipeline.addHandler(BackPressureHandler())
        let deadline = CallDeadline(limits, refused: refused)
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: limits.connection, streamConfiguration: limits.stream,
            streamDelegate: CallObserver(management.http2StreamDelegate, deadline, loop: channel.eventLoop)
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(AuthorizationCall(service: service, limits: limits, executor: executor))
            }
        }
        try pipeline.addHandler(management)
        try pipeline.addHandler(deadline)
    }
}

extension AuthorizationLimits {
    fileprivate var connection: NIOHTTP2Handler.ConnectionConfiguration {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: calls), HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
            HTTP2Setting(parameter: .initialWindowSize, value: 65_535),
        ]
        connection.targetWindowSize = 1_048_576
        // A call that is refused before its end is reset, and Envoy has more of it on its way. On a stream that NIO has forgotten, this would
        // be an error of the connection.
        connection.maximumRecentlyResetStreams = calls * Self.resetsRemembered
        return connection
    }

    fileprivate var stream: NIOHTTP2Handler.StreamConfiguration {
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = resetsPerSecond * Self.resetWindow
        stream.streamResetFrameRateLimit.windowLength = .seconds(Int64(Self.resetWindow))
        return stream
    }
}
#endif
