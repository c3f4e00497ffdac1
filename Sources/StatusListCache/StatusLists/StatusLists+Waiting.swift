internal import JWKSCache
internal import Locks

extension StatusLists {
    /// The verdict, after waiting for a list that is being fetched, at most for the wait budget of the policy.
    ///
    /// - Parameters:
    ///   - index: `idx` of a verified token.
    ///   - uri: `uri` of the same token.
    ///   - issuer: `iss` of the same token.
    public func settledVerdict(index: Int, uri: String, issuer: String) async -> StatusVerdict {
        let verdict = verdict(index: index, uri: uri, issuer: issuer)
        guard [.unknownList, .staleList, .refusedList].contains(verdict.finding), let place = shelves.place(of: issuer) else {
            return verdict
        }
        let key = ListKey(issuer: place, uri: Array(uri.utf8))
        // False if the fetch has ended before: then too the list may be there.
        _ = await settled(key, within: policy.refresh.waitBudget.duration)
        return self.verdict(index: index, uri: uri, issuer: issuer)
    }

    /// Waits for the end of the fetch in progress, at most for `budget`.
    ///
    /// - Returns: whether it has ended. False immediately if none is in progress or too many wait.
    private func settled(_ key: ListKey, within budget: Duration) async -> Bool {
        guard budget > .zero else { return false }
        let number = shared.withLock { $0.reserveWaiter() }, deadline = clock.elapsed + budget
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(key, number, $0, until: deadline) }
        } onCancel: {
            giveUp(key, number)
        }
    }

    private func wait(_ key: ListKey, _ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>, until deadline: Duration) {
        let limit = policy.refresh.waiterLimit
        let isWaiting = shared.withLock { shared in
            guard shared.core.flight(key.issuer, key.uri) != nil, !Task.isCancelled,
                shared.waiters.values.reduce(0, { $0 + $1.count }) < limit
            else { return false }
            shared.waiters[key, default: Waiters()].add(number, continuation, until: deadline)
            return true
        }
        guard isWaiting else { return continuation.resume(returning: false) }
        // The refresher resumes it at its deadline.
        wakeRefresher()
    }

    private func giveUp(_ key: ListKey, _ number: UInt64) { shared.withLock { $0.waiters[key]?.remove(number) }?.resume(false) }
}

extension StatusLists {
    /// Those who wait for a fetch.
    package var waiterCount: Int { shared.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }
}
