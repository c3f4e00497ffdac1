internal import CReadCopyUpdate
package import JWTCore
internal import Synchronization

/// Where readers find the key set of this moment, and until when it holds. Readers write nothing that another core reads; who replaces
/// it never waits for them (Docs/Decisions/0010).
@safe
package final class KeySetSlot: @unchecked Sendable {
    private let current = unsafe Atomic<UnsafeRawPointer?>(nil)
    /// Nanoseconds of the clock's elapsed time. Never later than what `current` was given, so that an end read between two equal reads of
    /// `current` is not another set's.
    private let endsAt = Atomic<Int64>(0)
    private let number = Atomic<UInt64>(0)
    // SAFETY: touched by writers alone, which take turns.
    private var retired: [(grace: UInt64, keys: Unmanaged<KeySet>)] = unsafe []

    package init() {}

    deinit {
        // Whoever reads holds this object, so nobody does.
        if let pointer = unsafe current.load(ordering: .acquiring) { unsafe Unmanaged<KeySet>.fromOpaque(pointer).release() }
        while let entry = unsafe retired.popLast() { unsafe entry.keys.release() }
    }

    /// Counts what was believed: a verdict reached under another number than this may have lost its key. Zero before the first set.
    package var generation: UInt64 { number.load(ordering: .acquiring) }

    /// Whether there are keys that hold at `now`, in nanoseconds of the clock's elapsed time.
    package func holds(at now: Int64) -> Bool {
        unsafe load(at: now) != nil
    }

    /// Lends the set to `body` if there is one that holds at `now`.
    ///
    /// - Throws: `keys_unavailable` otherwise.
    package func withKeys<Result: ~Copyable>(
        at now: Int64, _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard let reader = unsafe crcu_enter() else { throw .keysUnavailable }
        defer { unsafe crcu_leave(reader) }
        guard let pointer = unsafe load(at: now) else { throw .keysUnavailable }
        // SAFETY: loaded within the section, so it is not released before the section ends.
        return try unsafe Unmanaged<KeySet>.fromOpaque(pointer).lend(body)
    }

    @unsafe
    @inline(__always)
    private func load(at now: Int64) -> UnsafeRawPointer? {
        while let pointer = unsafe current.load(ordering: .acquiring), now < endsAt.load(ordering: .acquiring) {
            if unsafe current.load(ordering: .acquiring) == pointer { return unsafe pointer }
        }
        return nil
    }

    /// Puts `keys` in the place of what is there. For one writer at a time.
    package func replace(_ keys: KeySet?, endsAt end: Duration, generation: UInt64) {
        endsAt.store(min(end.nanoseconds, endsAt.load(ordering: .relaxed)), ordering: .releasing)
        defer { endsAt.store(end.nanoseconds, ordering: .releasing) }
        let next = unsafe keys.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
        let previous = unsafe current.load(ordering: .relaxed)
        guard unsafe next != previous else { return number.store(generation, ordering: .releasing) }
        if let keys { _ = unsafe Unmanaged.passRetained(keys) }
        unsafe current.store(next, ordering: .releasing)
        number.store(generation, ordering: .releasing)
        if let previous = unsafe previous { unsafe retired.append((crcu_grace_begin(), .fromOpaque(previous))) }
        reclaim()
    }

    /// Frees what nobody reads any more. Never waits.
    package func reclaim() {
        unsafe retired.removeAll { entry in
            guard crcu_grace_is_over(unsafe entry.grace) == 1 else { return false }
            unsafe entry.keys.release()
            return true
        }
    }

    /// Whether something waits to be freed. For writers.
    package var hasRetired: Bool { unsafe !retired.isEmpty }
}

extension Duration {
    /// Whole nanoseconds, within what a word holds.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < Int64.max / 1_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
