internal import JWKSCache

/// A renewed session that could not be stored. It is kept in memory, because the server already replaced the stored session token.
struct UnsavedSession: Hashable, Sendable {
    /// The stored session that it replaces.
    let replaced: Session
    let session: Session
    /// Why it could not be stored.
    let error: FlowError

    /// The newest session. Any stored session other than the replaced one is newer: a login or another process stored it.
    func newest(_ stored: Session?) -> Session? { stored == replaced ? session : stored }
}

extension SessionKeeper {
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)

    /// Stores the unsaved session if that is possible now.
    func save() async {
        guard let pending = unsaved, flight == nil else { return }
        do throws(FlowError) {
            try await store.exclusively { [self, wire] contents async throws(FlowError) in
                // A refresh that began in the meantime stores its own, newer session.
                guard contents.session(of: wire.configuration) == pending.replaced, await isNewest(pending) else { return }
                contents.session = pending.session
                contents.clockOffset = wire.serverClock.stored
            }
            guard isNewest(pending) else { return }
            unsaved = nil
            states.become(.active)
        } catch {
            wire.configuration.log.write("the session cannot be stored: \(error)")
        }
    }

    private func isNewest(_ pending: UnsavedSession) -> Bool { flight == nil && unsaved == pending }

    /// Tries again, with growing pauses, until the session is stored or replaced. The keeper may be freed in the meantime.
    func saveLater() {
        guard saving == nil else { return }
        saving = Task { [weak self, clock = wire.clock] in
            var pause = Self.firstPause
            while !Task.isCancelled {
                await clock.sleep(until: clock.elapsed + pause)
                guard let keeper = self, await keeper.isSaving() else { return }
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Tries once more. Returns whether the session is still unsaved.
    private func isSaving() async -> Bool {
        await save()
        if unsaved == nil { saving = nil }
        return unsaved != nil
    }
}
