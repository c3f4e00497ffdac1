#if HTTP
internal import Dispatch
internal import NIOCore
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// How the addresses of a name are found.
package struct AddressResolution: Sendable {
    /// The addresses of a host, those to try first before the others.
    package let addresses: @Sendable (_ host: String) async throws -> [IPAddress]

    package init(_ addresses: @escaping @Sendable (_ host: String) async throws -> [IPAddress]) { self.addresses = addresses }

    /// By the system's resolver, on a thread of its own since it blocks and cannot be interrupted. When the task is cancelled the answer
    /// is not waited for.
    package static let system = AddressResolution { host in
        let answer = FirstAnswer()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(continuation)
                queue.async { answer.give(Result { try resolve(host, flags: 0) }) }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
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
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else {
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

    // SAFETY: ai_family says which type ai_addr points to (RFC 3493 section 6.1).
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

/// Resumes whoever waits with the first answer, whether it came before or after the waiting began.
private final class FirstAnswer: Sendable {
    private typealias Waiter = CheckedContinuation<[IPAddress], any Error>

    private enum State {
        case empty
        case waiting(Waiter)
        case early(Result<[IPAddress], any Error>)
        case done
    }

    private let state = Mutex(State.empty)

    func wait(_ waiter: CheckedContinuation<[IPAddress], any Error>) {
        let early: Result<[IPAddress], any Error>? = state.withLock { state in
            guard case .early(let answer) = state else {
                state = .waiting(waiter)
                return nil
            }
            state = .done
            return answer
        }
        if let early { waiter.resume(with: early) }
    }

    func give(_ answer: Result<[IPAddress], any Error>) {
        let waiter: Waiter? = state.withLock { state in
            switch state {
            case .empty: state = .early(answer)
            case .waiting(let waiter):
                state = .done
                return waiter
            case .early, .done: break
            }
            return nil
        }
        waiter?.resume(with: answer)
    }
}
#endif
