package import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOExtras
internal import NIOPosix
internal import ServiceLifecycle

/// How many steps idle connections stay open at the end. A client that keeps using a connection then sends a request on it, whose answer ends
/// it; the others are not in use.
private let idleSteps: Int64 = 10

/// Serves the connections of one ``ListeningSocket`` until it is shut down. Then each answer is the last of its connection, it accepts no
/// more connections, lets the requests under way end, and closes idle connections.
package struct EdgeListener<Connection: ServerChildChannel>: Service, CustomStringConvertible {
    let socket: ListeningSocket
    let connection: Connection
    let maximum: Int
    let runsOnEventLoops: Bool
    let drainStep: TimeAmount
    let logger: Logger
    let count: @Sendable (Int) -> Void
    private let open = OpenConnections()

    /// - Parameters:
    ///   - connection: sets up and serves each connection.
    ///   - maximum: connections at once; further ones wait in the kernel.
    ///   - runsOnEventLoops: serves each connection on its own event loop, without a change of threads. For answers that take microseconds
    ///     and never block.
    ///   - drainStep: the time for which connections are still accepted at the end. Idle ones stay open for ten such times more.
    ///   - count: learns of each connection that opens (1) and closes (-1).
    package init(
        _ socket: ListeningSocket, connection: Connection, maximum: Int, runsOnEventLoops: Bool = false,
        drainStep: Duration = .milliseconds(100), logger: Logger, count: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.socket = socket
        self.connection = connection
        self.maximum = maximum
        self.runsOnEventLoops = runsOnEventLoops
        self.drainStep = TimeAmount(drainStep)
        self.logger = logger
        self.count = count
    }

    /// The service group logs this name instead of the whole value.
    package var description: String { "listener \(socket.name)" }

    package func run() async throws {
        defer { socket.removeFile() }
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let maximum = maximum, connection = connection, logger = logger, name = socket.name
        let server = try await ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(AcceptPause(listener: name, logger: logger))
                    try pipeline.addHandler(AvailableConnectionsChannelHandler(maxConnections: maximum))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(socket.take()) { connection.setup(channel: $0, logger: logger) }
        try socket.restoreBacklog()
        do {
            try await withGracefulShutdownHandler {
                try await serve(server)
            } onGracefulShutdown: {
                socket.removeFile()
                end(server.channel, quiescing)
            }
        } catch {
            guard Task.isCancelled else { throw error }
        }
        guard Task.isCancelled || Task.isShuttingDownGracefully else {
            throw ListeningFailure(.system, "\(socket.name): the socket has closed")
        }
    }

    private func serve(_ server: NIOAsyncChannel<Connection.Value, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { inbound in
                for try await accepted in inbound {
                    let executor = runsOnEventLoops ? EventLoopExecutor(accepted.channel.eventLoop) : nil
                    group.addTask(executorPreference: executor) {
                        count(1)
                        open.insert(accepted.channel)
                        defer {
                            open.remove(accepted.channel)
                            count(-1)
                        }
                        await connection.handle(value: accepted, logger: logger)
                    }
                }
            }
        }
    }

    /// Ends in steps, so that every client that has connected gets an answer: each answer ends its connection from now on, the kernel's queue
    /// is emptied, the socket is closed, and requests that are on their way arrive. Then idle connections are closed.
    private func end(_ channel: any Channel, _ quiescing: ServerQuiescingHelper) {
        open.drain()
        channel.eventLoop.scheduleTask(in: drainStep) { [isHeld = socket.isHeld] in
            // NIO closes a connection that it has accepted and not set up when the socket closes. Those of a held socket need not be accepted.
            if isHeld { channel.setOption(.autoRead, value: false).whenComplete { _ in } } else { channel.close(promise: nil) }
        }
        channel.eventLoop.scheduleTask(in: drainStep + drainStep) { channel.close(promise: nil) }
        channel.eventLoop.scheduleTask(in: drainStep + drainStep * idleSteps) { quiescing.initiateShutdown(promise: nil) }
    }
}
