internal import HTTPEdge
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// The connections of the edge, counted.
struct CountedChannel: HTTPChannelHandler {
    typealias Value = AcceptedConnection

    private let edge: EdgeChannel
    private let metrics: ConnectionMetrics

    init(_ edge: EdgeChannel, _ metrics: ConnectionMetrics) {
        self.edge = edge
        self.metrics = metrics
    }

    var responder: HTTPChannelHandler.Responder { edge.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        metrics.opened()
        channel.closeFuture.whenComplete { _ in metrics.closed() }
        let connection = edge.setup(channel: channel, logger: logger)
        // The edge refuses a connection whose address has too many.
        connection.whenFailure { _ in metrics.refuse() }
        return connection
    }

    func handle(value: Value, logger: Logger) async { await edge.handle(value: value, logger: logger) }
}
