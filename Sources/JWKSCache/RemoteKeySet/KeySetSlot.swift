internal import CReadCopyUpdate
package import JWTCore
internal import Synchronization

/// Gives readers the current key set until its end. Readers write nothing that another core reads; a writer never waits for them
/// (Docs/Decisions/0010).
@safe
package final class KeySetSlot: @unchecked Sendable {
    /// A set and its end. One word publishes both, so that no reader combines one set with the end of another.
    @unsafe
    private struct Lease {
        let keys: Unmanaged<KeySet>
        /// Nanoseconds of the clock's elapsed time.
        let endsAt: Int64
    }

    private let current = unsafe Atomic<UnsafeMutablePointer<Lease>?>(nil)
    private let number = Atomic<UInt64>(0)
    // SAFETY: accessed only by writers, one at a time.
    private var retired: [(grace: UInt64, lease: UnsafeMutablePointer<Lease>)] = unsafe []

    package init() {}

    deinit {
        // SAFETY: a reader retains this object, so there are no readers now.
        if let lease = unsafe current.load(ordering: .acquiring) { unsafe Self.free(lease) }
        while let entry = unsafe retired.popLast() { unsafe Self.free(entry.lease) }
    }

    /// Counts the accepted sets: if this number differs from that of an earlier verdict, the verdict's key may be gone. Zero before the
    /// first set.
    package var generation: UInt64 { number.load(ordering: .acquiring) }

    /// Whether there are keys that are valid at `now`, in nanoseconds of the clock's elapsed time.
    package func holds(at now: Int64) -> Bool {
        guard let reader = unsafe crcu_enter() else { return false }
        defer { unsafe crcu_leave(reader) }
        return unsafe lease(at: now) != nil
    }

    /// Lends the set to `body` if it is valid at `now`.
    ///
    /// - Throws: `keys_unavailable` otherwise.
    @specialized(where Result == Void)
    package func withKeys<Result: ~Copyable>(
        at now: Int64, _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard let reader = unsafe crcu_enter() else { throw .keysUnavailable }
        defer { unsafe crcu_leave(reader) }
        guard let lease = unsafe lease(at: now) else { throw .keysUnavailable }
        // SAFETY: loaded within the section, so it is not freed before the section ends.
        return try unsafe lease.pointee.keys.lend(body)
    }

    /// For a caller within a section.
    @unsafe
    @inline(__always)
    private func lease(at now: Int64) -> UnsafeMutablePointer<Lease>? {
        guard let lease = unsafe current.load(ordering: .acquiring), unsafe now < lease.pointee.endsAt else { return nil }
        return unsafe lease
    }

    /// Replaces the current set by `keys`. For one writer at a time.
    package func replace(_ keys: KeySet?, endsAt end: Duration, generation: UInt64) {
        defer { number.store(generation, ordering: .releasing) }
        let previous = unsafe current.load(ordering: .relaxed)
        guard unsafe !Self.isLease(previous, of: keys, end.nanoseconds) else { return }
        unsafe current.store(keys.map { unsafe Self.lease(of: $0, endsAt: end.nanoseconds) }, ordering: .releasing)
        if let previous = unsafe previous { unsafe retired.append((crcu_grace_begin(), previous)) }
        reclaim()
    }

    /// Frees the sets without readers. Never waits.
    package func reclaim() {
        unsafe retired.removeAll { entry in
            guard crcu_grace_is_over(unsafe entry.grace) == 1 else { return false }
            unsafe Self.free(entry.lease)
            return true
        }
    }

    /// Whether any set waits to be freed. For writers.
    package var hasRetired: Bool { unsafe !retired.isEmpty }

    @unsafe
    private static func isLease(_ lease: UnsafeMutablePointer<Lease>?, of keys: KeySet?, _ end: Int64) -> Bool {
        guard let lease = unsafe lease, let keys else { return unsafe lease == nil && keys == nil }
        return unsafe lease.pointee.keys.toOpaque() == Unmanaged.passUnretained(keys).toOpaque() && lease.pointee.endsAt == end
    }

    @unsafe
    private static func lease(of keys: KeySet, endsAt end: Int64) -> UnsafeMutablePointer<Lease> {
        let lease = UnsafeMutablePointer<Lease>.allocate(capacity: 1)
        unsafe lease.initialize(to: Lease(keys: .passRetained(keys), endsAt: end))
        return unsafe lease
    }

    @unsafe
    private static func free(_ lease: UnsafeMutablePointer<Lease>) {
        unsafe lease.pointee.keys.release()
        unsafe lease.deallocate()
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to 64 bits.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < Int64.max / 1_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
