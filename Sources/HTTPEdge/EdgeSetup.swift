internal import NIOCore

/// The beginning of every connection of HTTP/1.1, whatever answers it: its place among those of its address, and the options of its socket.
struct EdgeSetup: Sendable {
    private let limits: ConnectionLimits
    private let addresses: AddressCounts

    /// The size of one socket read, in bytes.
    private static let readBytes = 16_384

    /// - Parameter isUnlimited: whether an address may have any number of connections.
    init(_ limits: ConnectionLimits, isUnlimited: @escaping @Sendable (String) -> Bool) {
        self.limits = limits
        addresses = AddressCounts(limit: limits.maximumPerAddress, isUnlimited: isUnlimited)
    }

    /// Closes the connection if its address has too many, and otherwise lets `addHandlers` complete it.
    func setUp<Value: Sendable>(
        _ channel: any Channel, _ addHandlers: @escaping @Sendable (any Channel, ConnectionLimits) throws -> Value
    ) -> EventLoopFuture<Value> {
        guard addresses.admit(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readBytes))
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            return try addHandlers(channel, limits)
        }
    }
}
