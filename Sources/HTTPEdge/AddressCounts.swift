internal import NIOConcurrencyHelpers
package import NIOCore

/// The number of connections of each peer address.
package final class AddressCounts: Sendable {
    private let limit: Int
    private let isUnlimited: @Sendable (String) -> Bool
    private let counts = NIOLockedValueBox<[[UInt8]: Int]>([:])

    package init(limit: Int, isUnlimited: @escaping @Sendable (String) -> Bool) {
        self.limit = limit
        self.isUnlimited = isUnlimited
    }

    /// Counts a connection until it is closed; false if its address has reached the limit.
    package func admit(_ channel: any Channel) -> Bool {
        guard let address = channel.remoteAddress, let network = Self.network(of: address) else { return true }
        if let text = address.ipAddress, isUnlimited(text) { return true }
        guard take(network) else { return false }
        channel.closeFuture.whenComplete { _ in self.release(network) }
        return true
    }

    private func take(_ network: [UInt8]) -> Bool {
        counts.withLockedValue {
            guard $0[network, default: 0] < limit else { return false }
            $0[network, default: 0] += 1
            return true
        }
    }

    private func release(_ network: [UInt8]) {
        counts.withLockedValue {
            let left = ($0[network] ?? 1) - 1
            $0[network] = left > 0 ? left : nil
        }
    }

    /// An IPv4 address, also in its IPv6 form, or the first half of an IPv6 address: a host can connect from a whole /64 network. Nil for a
    /// socket without an IP address.
    private static func network(of address: SocketAddress) -> [UInt8]? {
        // SAFETY: the bytes are copied while the address is valid. sin_addr is at offset 4, sin6_addr at 8.
        let bytes = unsafe address.withSockAddr { unsafe Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        switch address {
        case .v4: return Array(bytes[4..<8])
        case .v6:
            let isMapped = bytes[8..<20].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
            return Array(isMapped ? bytes[20..<24] : bytes[8..<16])
        case .unixDomainSocket: return nil
        }
    }
}
