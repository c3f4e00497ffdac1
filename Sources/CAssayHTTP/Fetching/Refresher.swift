#if HTTP
internal import Locks
internal import CAssayInterface
internal import Dispatch
internal import JWKSCache
internal import HTTPGuard
internal import JWTCore

/// Fetches for one set of keys until it is stopped. Its thread asks libassay what is due, a task makes each request, and the thread hands
/// over the response.
@safe
final class Refresher: @unchecked Sendable {
    // SAFETY: owned by this object, and immutable.
    let keys: OpaquePointer
    private let transport: GuardedClient
    private let wakeup: Wakeup
    private let state = Locked(State())

    private struct State {
        var isStopped = false
        /// Signalled after each fetch.
        var waiters: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    /// - Parameter keys: becomes this object's.
    @unsafe
    init(_ keys: OpaquePointer, _ transport: GuardedClient, _ wakeup: Wakeup) {
        unsafe self.keys = keys
        self.transport = transport
        self.wakeup = wakeup
    }

    deinit { unsafe assay_keys_free(keys) }

    /// - Returns: false if the system gives no thread.
    func start() -> Bool {
        ForkedProcess.watch()
        return BackgroundThread.start { [self] in run() }
    }

    /// Lets the thread cancel the request under way, and end. Only that thread handles tasks: they make threads, which inherit the signal
    /// mask of their creator.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeup.signal()
    }

    /// Waits until there are keys.
    ///
    /// - Returns: whether there are.
    func waitForKeys(_ milliseconds: Int64) -> Bool {
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: milliseconds)), landed = DispatchSemaphore(value: 0)
        let identity = ObjectIdentifier(landed)
        state.withLock { $0.waiters[identity] = landed }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: identity) } }
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
        while !isStopped {
            while let fetch = unsafe nextFetch() {
                unsafe perform(fetch)
                unsafe assay_fetch_free(fetch)
            }
            state.withLock { state in for waiter in state.waiters.values { waiter.signal() } }
            wakeup.wait(milliseconds: unsafe assay_keys_next_due(keys))
        }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    @unsafe
    private func nextFetch() -> OpaquePointer? {
        var fetch: OpaquePointer?
        guard !isStopped, unsafe assay_keys_request(&fetch, keys) == .ok else { return nil }
        return unsafe fetch
    }

    @unsafe
    private func perform(_ fetch: OpaquePointer) {
        switch answer(to: unsafe OutgoingRequest(fetch)) {
        case .success(let response): unsafe response.install(keys, fetch)
        case .failure(let failure): _ = unsafe assay_keys_fail(keys, fetch, failure.reason.number)
        }
    }

    private func answer(to request: OutgoingRequest) -> Result<ReceivedResponse, RequestFailure> {
        let answer = Locked<Result<ReceivedResponse, RequestFailure>?>(nil)
        let task = Task { [transport, wakeup] in
            let result: Result<ReceivedResponse, RequestFailure>
            do throws(RequestFailure) {
                result = .success(try await transport.fetch(request))
            } catch {
                result = .failure(error)
            }
            answer.withLock { $0 = result }
            wakeup.signal()
        }
        while true {
            if let answer = answer.withLock({ $0 }) { return answer }
            if isStopped { task.cancel() }
            wakeup.wait()
        }
    }
}
#endif
