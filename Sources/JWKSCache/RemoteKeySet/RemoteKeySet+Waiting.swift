public import JWTCore

extension RemoteKeySet {
    /// Fetches, or joins the fetch under way, and waits for its end.
    ///
    /// - Returns: whether there are keys now that were confirmed by it.
    @discardableResult
    public func refresh() async -> Bool {
        let before = transact { shared, now, events in
            (shared.core.state.appliedSequence, shared.core.requested(now: now, &events))
        }
        start()
        _ = await settled(within: policy.attemptLimit)
        return shared.withLock { $0.core.state.appliedSequence > before }
    }

    /// Orders a fetch past every cache, unless one is under way. Returns at once.
    public func requestRefresh() {
        transact { shared, now, events in ((), shared.core.requested(now: now, &events)) }
        start()
    }

    /// Fetches for the first time, unless that has been done, and waits for the end of the attempt.
    public func firstAttempt() async {
        transact { shared, now, events in ((), shared.core.tick(now: now, &events)) }
        start()
        _ = await settled(within: policy.attemptLimit)
    }

    /// Waits until there are keys, or the time is over.
    public func ready(within limit: Duration) async -> Bool {
        start()
        let deadline = clock.elapsed + limit
        while !isReady, !Task.isCancelled, clock.elapsed < deadline {
            if shared.withLock({ $0.core.state.flight != nil }) {
                _ = await settled(within: deadline - clock.elapsed)
            } else {
                await clock.sleep(until: min(deadline, shared.withLock { $0.core.state.nextDue }))
                await Task.yield()
            }
        }
        return isReady
    }

    /// Runs `body`, and as long as it throws `keys_unavailable` again after each fetch that ends within the policy's wait budget. A token
    /// causes no more fetches than ``RefreshPolicy/probeLimit`` permits, so this ends.
    ///
    /// - Throws: what `body` throws.
    public func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        let deadline = clock.elapsed + policy.waitBudget.duration
        var looksAgain = true
        while true {
            do throws(VerificationError) {
                return try body()
            } catch {
                guard error.code == .keysUnavailable else { throw error }
                if await settled(within: deadline - clock.elapsed) { continue }
                // What it was to wait for may have ended since it looked.
                guard looksAgain, clock.elapsed < deadline, !Task.isCancelled, !isFetching else { throw error }
                looksAgain = false
            }
        }
    }

    /// Waits for the end of the fetch under way, at most for `budget`.
    ///
    /// - Returns: whether it has ended, so that it is worth looking again. False at once where none is under way or too many wait.
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
        // The refresher gives it up.
        wakeup.wake(by: deadline)
    }

    func giveUp(_ number: UInt64) { shared.withLock { $0.waiters.remove(number) }?.resume(false) }
}
