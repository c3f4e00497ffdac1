internal import CAssayInterface
internal import Dispatch
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore
internal import Locks

/// Fetches for one set of keys until it is stopped. Its thread asks libassay what is due, sends each request, and hands over the response.
///
/// A forked child has the keys but not the thread. There the thread begins anew with the first call that needs it.
@safe
final class FetchThread: @unchecked Sendable {
    // SAFETY: owned by this object, and immutable.
    let keys: OpaquePointer
    private let client: GuardedClient
    /// Where the thread sleeps, and waits for responses.
    private let wait: AnswerWait

    // SAFETY: the members below are used under `lock`, which no thread of the parent holds at a fork.
    private var isStopped = false
    /// Signalled after each fetch.
    private var waiters: [ObjectIdentifier: DispatchSemaphore] = [:]
    /// The process in which the thread runs; nil before it began.
    private var home: UInt64?

    /// One lock for all: a fork takes it.
    private static let lock = Locked(UInt64(0))

    private static let isCarriedOverForks: Void = {
        Forks.handle(
            before: { FetchThread.lock.lock() }, inParent: { FetchThread.lock.unlock() },
            inChild: {
                FetchThread.lock.unlock()
                FetchThread.lock.withLock { $0 += 1 }
            })
    }()

    /// - Parameter keys: becomes this object's.
    @unsafe
    init(_ keys: OpaquePointer, _ client: GuardedClient, _ wait: AnswerWait) {
        unsafe self.keys = keys
        self.client = client
        self.wait = wait
    }

    deinit { unsafe assay_keys_free(keys) }

    /// Starts the thread, unless it runs in this process.
    ///
    /// - Returns: false if the system gives no thread.
    func start() -> Bool {
        _ = Self.isCarriedOverForks
        return Self.lock.withLock { process in
            guard home != process else { return true }
            if home != nil { adopt() }
            home = BackgroundThread.start { [self] in run() } ? process : nil
            return home != nil
        }
    }

    /// Forgets what was of the parent's threads.
    private func adopt() {
        waiters = [:]
        wait.reset()
    }

    /// Lets the thread give up the request under way, and end.
    func stop() {
        Self.lock.withLock { _ in isStopped = true }
        wait.cancel()
    }

    /// Waits until there are keys.
    ///
    /// - Returns: whether there are.
    func waitForKeys(_ milliseconds: Int64) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: milliseconds)), landed = DispatchSemaphore(value: 0)
        let identity = ObjectIdentifier(landed)
        Self.lock.withLock { _ in waiters[identity] = landed }
        defer { Self.lock.withLock { _ in _ = waiters.removeValue(forKey: identity) } }
        while !hasKeys {
            guard landed.wait(timeout: deadline) == .success else { return hasKeys }
        }
        return true
    }

    private var hasKeys: Bool {
        var status = unsafe assay_keys_state()
        unsafe status.size = MemoryLayout<assay_keys_state>.size
        return unsafe assay_keys_status(&status, keys) == .ok && Int(status.health) != ASSAY_HEALTH_UNAVAILABLE
    }

    // The thread

    private func run() {
        while !isEnded {
            while let fetch = unsafe nextFetch() {
                unsafe perform(fetch)
                unsafe assay_fetch_free(fetch)
            }
            for waiter in Self.lock.withLock({ _ in Array(waiters.values) }) { waiter.signal() }
            wait.sleep(milliseconds: unsafe assay_keys_next_due(keys))
        }
    }

    private var isEnded: Bool { Self.lock.withLock { _ in isStopped } }

    @unsafe
    private func nextFetch() -> OpaquePointer? {
        var fetch: OpaquePointer?
        guard !isEnded, unsafe assay_keys_request(&fetch, keys) == .ok else { return nil }
        return unsafe fetch
    }

    @unsafe
    private func perform(_ fetch: OpaquePointer) {
        do throws(RequestFailure) {
            let response = try client.send(unsafe OutgoingRequest(fetch), waitingOn: wait)
            unsafe response.install(keys, fetch)
        } catch {
            _ = unsafe assay_keys_fail(keys, fetch, error.reason.number)
        }
    }
}
