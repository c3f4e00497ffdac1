public import JWTCore
internal import Locks

extension RemoteKeySet {
    /// Fetches, or joins the fetch in progress, and waits for its end.
    ///
    /// - Parameter limit: the longest wait; nil for as long as a fetch may take, ``RefreshPolicy/attemptLimit``. The fetch continues after
    ///   it.
    /// - Returns: whether there is a set now that this fetch confirmed.
    @discardableResult
    public func refresh(within limit: Duration? = nil) async -> Bool {
        let before = transact { shared, now in
            (shared.core.state.appliedSequence, shared.core.requested(now: now))
        }
        start()
        _ = await settled(within: limit ?? policy.attemptLimit)
        return shared.withLock { $0.core.keys != nil && $0.core.state.appliedSequence > before }
    }

    /// Orders a fetch that bypasses every cache, unless one is in progress. Returns immediately.
    public func requestRefresh() {
        transact { shared, now in ((), shared.core.requested(now: now)) }
        start()
    }

    /// Fetches for the first time, unless that has happened, and waits for the end of the attempt.
    ///
    /// - Parameter limit: the longest wait; nil for as long as a fetch may take, ``RefreshPolicy/attemptLimit``. The fetch continues after
    ///   it.
    public func firstAttempt(within limit: Duration? = nil) async {
        transact { shared, now in ((), shared.core.tick(now: now)) }
        start()
        _ = await settled(within: limit ?? policy.attemptLimit)
    }

    /// Waits until there are keys, at most for `limit`.
    public func ready(within limit: Duration) async -> Bool {
        start()
        let deadline = clock.elapsed + limit
        while !isReady, !Task.isCancelled, clock.elapsed < deadline {
            if await settled(within: deadline - clock.elapsed) { continue }
            await clock.sleep(until: min(deadline, nextLook))
            await Task.yield()
        }
        return isReady
    }

    /// When to look again for keys whose fetch could not be waited for.
    private var nextLook: Duration {
        let now = clock.elapsed, later = now + .milliseconds(50)
        return shared.withLock { shared in
            // A token may cause a fetch at any time.
            guard shared.core.state.flight != nil else { return min(shared.core.state.nextDue, later) }
            // A fetch has begun since, unless too many wait for it.
            return shared.waiters.count < policy.waiterLimit ? now : later
        }
    }

    /// Runs `body`. While it throws `keys_unavailable`, runs it again after each fetch that ends within the policy's wait budget. A token
    /// causes no more fetches than ``RefreshPolicy/probeLimit`` permits, so this ends.
    ///
    /// - Throws: the last error of `body`.
    public func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        let deadline = clock.elapsed + policy.waitBudget.duration
        var looksAgain = true
        while true {
            do throws(VerificationError) {
                return try body()
            } catch {
                guard error.code == .keysUnavailable else { throw error }
                if await settled(within: deadline - clock.elapsed) { continue }
                // The fetch may have ended between the verification and the wait: verify once more.
                guard looksAgain, clock.elapsed < deadline, !Task.isCancelled, !isFetching else { throw error }
                looksAgain = false
            }
        }
    }

    /// Waits for the end of the fetch in progress, at most for `budget`.
    ///
    /// - Returns: whether it has ended, so that a retry makes sense. False immediately if none is in progress or too many wait.
    func settled(within budget: Duration) async -> Bool {
        guard budget > .zero else { return false }
        let number = shared.withLock { $0.waiters.reserve() }, deadline = clock.elapsed + budget
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0, until: deadline) }
        } onCancel: {
            giveUp(number)
        }
    }

    func wait(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>, until deadline: Duration) {
        let isWaiting = shared.withLock { shared in
            guard shared.core.state.flight != nil, shared.waiters.count < policy.waiterLimit, !Task.isCancelled else { return false }
            shared.waiters.add(number, continuation, until: deadline)
            return true
        }
        guard isWaiting else { return continuation.resume(returning: false) }
        // The refresher resumes it at its deadline.
        wakeRefresher(by: deadline)
    }

    func giveUp(_ number: UInt64) { shared.withLock { $0.waiters.remove(number) }?.resume(false) }
}
