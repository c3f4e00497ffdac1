package import HTTPEdge

extension ListenAddress {
    package var isLoopback: Bool { host == "localhost" || AddressBlock.loopback.contains { $0.contains(host) } }
}
