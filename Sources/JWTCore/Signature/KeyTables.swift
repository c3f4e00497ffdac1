internal import CReadCopyUpdate
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Builds the tables of keys, away from verifications, and keeps them within a budget: the least recently used go first (CLOCK).
///
/// A key gets a small table when it is loaded, as long as that takes nothing from keys that are in use, and a full one when it has
/// been used ``fullAfter`` times. One that lost its table has to be used twice as often to get it back, so keys that do not all fit
/// cannot keep the builder busy.
package final class KeyTables: Sendable {
    /// The tables of this process.
    package static let shared = KeyTables(budget: 64 << 20, isInBackground: true)

    /// Uses of a key before its full table: building one costs about what so many verifications by libcrypto do.
    package static let fullAfter = 16

    /// Keys that wait for the builder at most: sets may be exchanged faster than tables are built.
    private static let mostRequests = 4096

    private let state: Locked<State>
    /// Held while tables are built, so that whoever holds it knows there is nothing under way.
    private let building = Locked(())
    private let isInBackground: Bool

    @safe
    private struct State: @unchecked Sendable {
        var budget: Int
        /// Whether a key gets its full table when it is loaded, by whoever loads it.
        var isEager = false
        var bytes = 0
        var requests: [Request] = []
        // SAFETY: a key leaves this list in its deinit, under this lock.
        var residents: [Unmanaged<KernelKey>] = unsafe []
        var hand = 0
        /// Taken out of use before the number was.
        var retired: [(grace: UInt64, table: KeyTable)] = []
        var hasBuilder = false
    }

    private struct Request {
        /// Weak: who waits in the queue may die there.
        weak let key: KernelKey?
        let size: KeyTable.Size
        /// Whether others may lose their tables for it.
        let mayEvict: Bool
    }

    /// - Parameters:
    ///   - budget: bytes that all tables may take together, beside those of the generators.
    ///   - isInBackground: whether a thread builds; otherwise only ``settle()`` does.
    package init(budget: Int, isInBackground: Bool) {
        state = unsafe Locked(State(budget: budget))
        self.isInBackground = isInBackground
    }

    // Asking

    func loaded(_ key: KernelKey) {
        if state.withLock(\.isEager) { return prepare(key) }
        enqueue(Request(key: key, size: key.material.kind == .rsa ? .full : .small, mayEvict: false))
    }

    func used(_ key: KernelKey, times: Int) {
        let isDue = state.withLock { _ in !key.isUnsuitable && times >= Self.fullAfter << min(key.evictions, 16) }
        if isDue { enqueue(Request(key: key, size: .full, mayEvict: true)) }
    }

    private func enqueue(_ request: Request) {
        let needsBuilder = state.withLock { state in
            // A key that is turned away asks again when it is used.
            guard state.requests.count < Self.mostRequests else { return false }
            state.requests.append(request)
            defer { state.hasBuilder = true }
            return isInBackground && !state.hasBuilder
        }
        if needsBuilder, !startBuilder() { state.withLock { $0.hasBuilder = false } }
    }

    /// Builds, on the calling thread, whatever has been asked for, and waits for what is under way.
    package func settle() {
        while let request = state.withLock({ $0.requests.isEmpty ? nil : $0.requests.removeFirst() }) { fulfil(request) }
        building.withLock { _ in }
    }

    /// Builds the full table of `key` now, on the calling thread.
    package func prepare(_ key: KernelKey) { fulfil(Request(key: key, size: .full, mayEvict: true)) }

    // Building

    private func startBuilder() -> Bool {
        let context = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let isStarted = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<KeyTables>.fromOpaque(context).takeRetainedValue().buildUntilDone()
                return nil
            }, context.toOpaque())
        guard isStarted == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func buildUntilDone() {
        while let request = next() { fulfil(request) }
    }

    private func next() -> Request? {
        state.withLock { state in
            guard !state.requests.isEmpty else {
                state.hasBuilder = false
                return nil
            }
            return state.requests.removeFirst()
        }
    }

    private func fulfil(_ request: Request) {
        building.withLock { _ in
            guard let key = request.key else { return }
            Engine.select()
            guard let family = key.material.family, reserve(key, request, family) else { return }
            let table = KeyTable(key.material, family, request.size)
            publish(table, for: key, reserved: KeyTable.byteCount(key.material, family, request.size))
            reclaim()
        }
    }

    /// Makes room for the table that is asked for and counts its bytes; false where it is there already, or there is no room.
    private func reserve(_ key: KernelKey, _ request: Request, _ family: KernelFamily) -> Bool {
        state.withLock { state in
            let bytes = KeyTable.byteCount(key.material, family, request.size)
            guard bytes > 0, bytes <= state.budget, !key.isUnsuitable, !key.has(family, request.size) else { return false }
            while state.bytes + bytes > state.budget {
                guard request.mayEvict, Self.evict(&state, sparing: key) else { return false }
            }
            state.bytes += bytes
            return true
        }
    }

    private func publish(_ table: KeyTable?, for key: KernelKey, reserved: Int) {
        state.withLock { state in
            guard let table else {
                state.bytes -= reserved
                key.isUnsuitable = true
                return
            }
            if key.residence == nil {
                key.residence = unsafe state.residents.count
                unsafe state.residents.append(Unmanaged.passUnretained(key))
            }
            Self.retire(key.replaceTable(table), &state)
        }
    }

    // Evicting

    /// Takes its table from the first key under the hand that was not used since the hand last passed.
    private static func evict(_ state: inout State, sparing key: KernelKey) -> Bool {
        for _ in unsafe 0..<(2 * state.residents.count) {
            state.hand = unsafe state.hand + 1 < state.residents.count ? state.hand + 1 : 0
            // SAFETY: listed, so not yet past its deinit, which waits for this lock.
            let candidate = unsafe state.residents[state.hand]._withUnsafeGuaranteedRef { candidate in
                unsafe candidate === key || candidate.takeRecentUse() ? nil : Optional(unsafe Unmanaged.passUnretained(candidate))
            }
            guard let candidate = unsafe candidate else { continue }
            unsafe candidate._withUnsafeGuaranteedRef { candidate in
                retire(candidate.replaceTable(nil), &state)
                candidate.evictions += 1
                remove(candidate, &state)
            }
            return true
        }
        return false
    }

    private static func remove(_ key: KernelKey, _ state: inout State) {
        guard let place = key.residence else { return }
        key.residence = nil
        let last = unsafe state.residents.removeLast()
        guard unsafe place < state.residents.count else { return }
        unsafe state.residents[place] = last
        unsafe last._withUnsafeGuaranteedRef { $0.residence = place }
    }

    /// Called by a key in its deinit: its table goes with it.
    func forget(_ key: KernelKey) {
        state.withLock { state in
            state.bytes -= key.tableBytes
            Self.remove(key, &state)
        }
    }

    private static func retire(_ table: KeyTable?, _ state: inout State) {
        guard let table else { return }
        state.bytes -= table.header.byteCount
        state.retired.append((crcu_grace_begin(), table))
    }

    /// Frees the tables that nobody reads any more. Never waits.
    private func reclaim() {
        state.withLock { state in
            state.retired.removeAll { entry in
                guard crcu_grace_is_over(entry.grace) == 1 else { return false }
                unsafe entry.table.free()
                return true
            }
        }
    }

    // Looking

    /// Bytes of the tables in use, and how many keys have one.
    package var usage: (bytes: Int, keys: Int) { state.withLock { unsafe ($0.bytes, $0.residents.count) } }

    /// Whether keys are prepared in full as they are loaded, by whoever loads them: for tests, which want every verdict by the kernels.
    package var isEager: Bool {
        get { state.withLock(\.isEager) }
        set { state.withLock { $0.isEager = newValue } }
    }

    package var budget: Int {
        get { state.withLock(\.budget) }
        set { state.withLock { $0.budget = newValue } }
    }
}
