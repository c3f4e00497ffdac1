import HTTPEdge
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Testing

@Suite struct AcceptedConnectionTests {
    /// NIO ends the process if the connection's channel is dropped as it is.
    @Test func aConnectionThatNobodyServesEnds() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/peer"))
        let edge = EdgeChannel(ConnectionLimits()) { (_, _: consuming ResponseWriter, _) in }
        let isSetUp = try await channel.testingEventLoop.executeInContext {
            edge.setup(channel: channel, logger: Logger(label: "edge")).map { _ in true }
        }
        #expect(try await isSetUp.get())
        try await channel.closeFuture.get()
        #expect(!channel.isActive)
    }
}
