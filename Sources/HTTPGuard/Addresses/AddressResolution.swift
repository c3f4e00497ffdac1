internal import Dispatch
internal import JWKSCache

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Resolves a name to addresses.
package struct AddressResolution: Sendable {
    /// The addresses of a host, in the order to try.
    package let addresses: @Sendable (_ host: String) async throws -> [IPAddress]

    package init(_ addresses: @escaping @Sendable (_ host: String) async throws -> [IPAddress]) { self.addresses = addresses }

    /// Uses the system's resolver, on a thread of its own, since it blocks and cannot be interrupted. If the task is cancelled, the result
    /// is not awaited.
    package static let system = AddressResolution { host in
        let (answers, answer) = AsyncThrowingStream<[IPAddress], any Error>.makeStream()
        queue.async {
            do { answer.yield(try resolve(host, flags: 0)) } catch { answer.finish(throwing: error) }
        }
        // A cancelled task's stream ends at once.
        for try await addresses in answers { return addresses }
        throw CancellationError()
    }

    private static let queue = DispatchQueue(label: "HTTPGuard.AddressResolution", attributes: .concurrent)

    /// The addresses of `host` in the order of RFC 6724, each once.
    static func resolve(_ host: String, flags: Int32) throws(RequestFailure) -> [IPAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = flags
        #if os(Linux) && !canImport(Musl)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard SystemResolver.call({ unsafe getaddrinfo(host, nil, &hints, &list) }) == 0 else {
            throw RequestFailure(.unresolvedName, "\(host) has no address")
        }
        defer { unsafe freeaddrinfo(list) }

        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    // SAFETY: ai_family gives the type that ai_addr points to (RFC 3493 section 6.1).
    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let address = unsafe entry.ai_addr else { return nil }
        switch unsafe entry.ai_family {
        case AF_INET:
            return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe IPAddress(v4: withUnsafeBytes(of: $0.pointee.sin_addr, Array.init))
            }
        case AF_INET6:
            return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe IPAddress(v6: withUnsafeBytes(of: $0.pointee.sin6_addr, Array.init))
            }
        default: return nil
        }
    }
}
