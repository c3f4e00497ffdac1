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

    /// Between two looks at whether the last reader of a table that was taken out of use has gone, in nanoseconds: the first, doubled up to
    /// the last.
    private static let pauses = (first: 1_000_000, last: 64_000_000)

    let state: Locked<State>
    /// Held while tables are built, so that whoever holds it knows there is nothing under way.
    let building = Locked(())
    private let isInBackground: Bool

    @safe
    struct State: @unchecked Sendable {
        var budget: Int
        /// Whether a key gets its full table when it is loaded, by whoever loads it.
        var isEager = false
        /// Of the tables in use, and of those that are being built.
        var bytes = 0
        var requests: [Request] = []
        // SAFETY: a key leaves this list in its deinit, under this lock.
        var residents: [Unmanaged<KernelKey>] = unsafe []
        var hand = 0
        /// Taken out of use before the number was.
        var retired: [(grace: UInt64, table: KeyTable)] = []
        var hasBuilder = false
    }

    struct Request {
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
        if isInBackground { _ = Self.keepsAcrossForks }
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
        state.withLock { state in
            // A key that is turned away asks again when it is used.
            if state.requests.count < Self.mostRequests { state.requests.append(request) }
        }
        callBuilder()
    }

    /// Sees to it that somebody does what there is to do.
    private func callBuilder() {
        let needsBuilder = state.withLock { state in
            guard isInBackground, !state.hasBuilder, !state.requests.isEmpty || !state.retired.isEmpty else { return false }
            state.hasBuilder = true
            return true
        }
        if needsBuilder, !startBuilder() { state.withLock { $0.hasBuilder = false } }
    }

    /// Builds, on the calling thread, whatever has been asked for, and waits for what is under way.
    package func settle() {
        while let request = next() { fulfil(request) }
        building.withLock { _ in }
    }

    /// Builds the full table of `key` now, on the calling thread.
    package func prepare(_ key: KernelKey) {
        fulfil(Request(key: key, size: .full, mayEvict: true))
        callBuilder()
    }

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

    /// Builds what is asked for, and stays until what was taken out of use is freed: nothing else may come for long.
    private func buildUntilDone() {
        var pause = Self.pauses.first
        while true {
            while let request = next() {
                fulfil(request)
                pause = Self.pauses.first
            }
            reclaim()
            if isDone() { return }
            var interval = timespec(tv_sec: 0, tv_nsec: pause)
            unsafe nanosleep(&interval, nil)
            pause = min(2 * pause, Self.pauses.last)
        }
    }

    private func next() -> Request? { state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() } }

    /// Whether there is nothing left to do; then the next who asks starts another builder.
    private func isDone() -> Bool {
        state.withLock { state in
            guard state.requests.isEmpty, state.retired.isEmpty else { return false }
            state.hasBuilder = false
            return true
        }
    }

    private func fulfil(_ request: Request) {
        building.withLock { _ in
            guard let key = request.key else { return }
            Engine.select()
            guard let family = key.material.family else { return }
            reclaim()
            guard reserve(key, request, family) else { return }
            do throws(KeyTable.Failure) {
                publish(try KeyTable(key.material, family, request.size), for: key)
            } catch {
                giveBack(KeyTable.byteCount(key.material, family, request.size), of: key, error)
            }
            reclaim()
        }
    }

    /// Makes room for the table that is asked for and counts its bytes; false where it is there already, or there is no room. What the key
    /// has makes room too, once the new table is in its place.
    private func reserve(_ key: KernelKey, _ request: Request, _ family: KernelFamily) -> Bool {
        state.withLock { state in
            let bytes = KeyTable.byteCount(key.material, family, request.size)
            guard bytes > 0, bytes <= state.budget, !key.isUnsuitable, !key.has(family, request.size) else { return false }
            while state.bytes - key.tableBytes + bytes > state.budget {
                guard request.mayEvict, Self.evict(&state, sparing: key) else { return false }
            }
            state.bytes += bytes
            return true
        }
    }

    private func giveBack(_ reserved: Int, of key: KernelKey, _ failure: KeyTable.Failure) {
        state.withLock { state in
            state.bytes -= reserved
            // Memory may be there another time.
            if failure == .refused { key.isUnsuitable = true }
        }
    }

    private func publish(_ table: KeyTable, for key: KernelKey) {
        state.withLock { state in
            if key.residence == nil {
                key.residence = unsafe state.residents.count
                unsafe state.residents.append(Unmanaged.passUnretained(key))
            }
            Self.retire(key.replaceTable(table), &state)
            // The budget may have been lowered meanwhile.
            Self.evictBeyondBudget(&state)
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
        set {
            state.withLock { state in
                state.budget = newValue
                Self.evictBeyondBudget(&state)
            }
            reclaim()
            callBuilder()
        }
    }
}
