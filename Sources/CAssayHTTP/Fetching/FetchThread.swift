internal import CAssay
internal import Dispatch
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore
internal import Locks

/// Fetches for one source until it is stopped. Its thread finds what is due, also in files, and sleeps; requests have threads of their own.
///
/// A forked child has the source but not the thread. There the thread begins anew with the first call that needs it.
final class FetchThread: Sendable {
    let source: any FetchSource
    private let hosts: [SharedHost]
    private let requests: RequestThreads<HostedFetch>
    /// Where the thread sleeps.
    private let wakeup = Wakeup()
    private let state = Locked(State())

    private struct State {
        var isStopped = false
        /// The process in which the thread runs; nil before it began.
        var home: UInt64?
        /// Signalled whenever a fetch has ended.
        var waiters: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    init(_ source: any FetchSource, _ client: GuardedClient) {
        self.source = source
        hosts = source.hosts
        requests = RequestThreads(client)
        ForkedLocks.add(state, of: self)
        for host in hosts { host.add(wakeup) }
    }

    deinit {
        for host in hosts { host.remove(wakeup) }
        ForkedLocks.remove(self)
    }

    /// Starts the thread, unless it runs in this process.
    ///
    /// - Returns: false if the system gives no thread.
    func start() -> Bool {
        let process = ForkCount.current
        return state.withLock { state in
            guard state.home != process else { return true }
            let isChild = state.home != nil
            if isChild {
                state.waiters = [:]
                wakeup.reset()
            }
            state.home = BackgroundThread.start { [self] in run(inChild: isChild) } ? process : nil
            return state.home != nil
        }
    }

    /// Lets the threads give up the requests under way, and end.
    func stop() {
        state.withLock { $0.isStopped = true }
        requests.cancel()
        wakeup.signal()
    }

    /// Waits until the source is ready.
    ///
    /// - Returns: whether it is.
    func waitForKeys(_ milliseconds: Int64) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: milliseconds)), landed = DispatchSemaphore(value: 0)
        let identity = ObjectIdentifier(landed)
        state.withLock { $0.waiters[identity] = landed }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: identity) } }
        while !source.isReady {
            guard landed.wait(timeout: deadline) == .success else { return source.isReady }
        }
        return true
    }

    // The thread

    /// - Parameter inChild: whether a fork took the thread before this one. A fetch that it had taken from the source, and not yet added to
    ///   the requests, is in no list.
    private func run(inChild: Bool) {
        if inChild { source.beginAgain() }
        requests.resume()
        while !state.withLock({ $0.isStopped }) {
            requests.add(source.dueFetches(atMost: .max))
            for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.signal() }
            // Never so short that the thread would only spin.
            wakeup.wait(nanoseconds: Int(min(max(source.nextDue, .milliseconds(1)), .seconds(1_000)).nanoseconds))
        }
    }
}
