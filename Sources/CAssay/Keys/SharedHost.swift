internal import JWKSCache
package import JWTCore
package import Locks
internal import StatusListCache

/// The host of key sets and of status lists: the caller's functions, which are not called any more when all of these are gone, and the threads
/// of libassay-http that fetch in the caller's place.
package final class SharedHost: KeySetHost {
    private let host: Host
    private let fetchers = Locked<[ObjectIdentifier: Wakeup]>([:])

    init(_ host: Host) {
        self.host = host
        ForkedLocks.add(fetchers, of: self)
    }

    deinit {
        ForkedLocks.remove(self)
        host.release()
    }

    package var elapsedNanoseconds: Int64 { host.elapsedNanoseconds }
    package var date: NumericDate { host.date }

    package func wake() {
        host.wake()
        signalFetchers()
    }

    package func release() {}

    // Threads that fetch

    /// Has `fetcher` signalled when a fetch becomes due or ends.
    package func add(_ fetcher: Wakeup) { fetchers.withLock { $0[ObjectIdentifier(fetcher)] = fetcher } }

    package func remove(_ fetcher: Wakeup) { _ = fetchers.withLock { $0.removeValue(forKey: ObjectIdentifier(fetcher)) } }

    func signalFetchers() { fetchers.withLock { for fetcher in $0.values { fetcher.signal() } } }
}

extension HostedStatusLists {
    /// The host of lists of this library.
    var sharedHost: SharedHost? { host as? SharedHost }
}

extension HostedKeySet {
    /// The host of keys of this library.
    var sharedHost: SharedHost? { host as? SharedHost }
}
