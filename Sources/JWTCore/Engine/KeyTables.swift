internal import Locks
internal import Synchronization

/// Builds the tables of keys outside verifications and keeps them within a budget; evicts the least recently used (CLOCK).
///
/// A key gets a small table when it is loaded, if that evicts no table in use, and a full one after ``fullAfter`` uses. A key that lost its
/// table needs twice as many uses to get it back, so keys that do not all fit cannot keep the builder busy.
///
/// A verification takes no lock here: it marks its key and wakes the builder, a thread that the first key starts and that then sleeps
/// between requests. A forked child has no such thread: it starts one when it loads a key, or when a verification first wants a table.
package final class KeyTables: Sendable {
    /// The tables of this process.
    package static let shared = KeyTables(budget: 64 << 20, isInBackground: true)
    /// Those of keys that senders choose. They have a budget of their own, so no sender can push out an issuer's tables.
    package static let senders = {
        _ = keepsSendersAcrossForks
        return KeyTables(budget: 16 << 20, isInBackground: true)
    }()

    /// Uses of a key before its full table: a build costs about as much as this number of verifications by libcrypto.
    package static let fullAfter = 16

    /// The maximum number of keys that wait for the builder: sets may be replaced faster than tables are built.
    private static let mostRequests = 4096

    /// Pauses between checks for the last reader of a replaced table, in nanoseconds: the first one, doubled up to the last.
    private static let pauses: (first: Int, last: Int) = (1_000_000, 64_000_000)

    let state: Locked<State>
    private let departed = DepartedSlots()
    /// Held while a request is taken and its table is built: a thread that holds it knows that no build is in progress.
    let building = Locked(())
    private let isInBackground: Bool
    let hasBuilder = Atomic(false)
    let wakeup = Wakeup()

    struct State {
        var budget: Int
        /// Whether a key gets its full table when it is loaded, on the loading thread.
        var isEager = false
        /// Bytes of the tables in use and of those being built.
        var bytes = 0
        var requests: [Request] = []
        /// The slots of all keys.
        var slots: [KeySlot] = []
        /// The slots that have a table.
        var residents: [KeySlot] = []
        var hand = 0
        /// Tables replaced before the grace period with the number began.
        var retired: [(grace: UInt64, table: KeyTable)] = []
    }

    struct Request {
        let slot: KeySlot
        let size: KeyTable.Size
        /// Whether other keys may lose their tables for it.
        let mayEvict: Bool
    }

    /// - Parameters:
    ///   - budget: upper limit in bytes for all tables, excluding those of the generators.
    ///   - isInBackground: whether a thread builds; otherwise only ``settle()`` does.
    package init(budget: Int, isInBackground: Bool) {
        state = Locked(State(budget: budget))
        self.isInBackground = isInBackground
        if isInBackground { _ = Self.keepsAcrossForks }
    }

    deinit { withState { _ in } }

    /// Runs `body` under the lock, without the slots whose keys are gone.
    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            departed.takeEach { Self.remove($0, &state) }
            return body(&state)
        }
    }

    // Requests

    func loaded(_ slot: KeySlot) {
        Engine.warn()
        let request = Request(slot: slot, size: slot.material.kind == .rsa ? .full : .small, mayEvict: false)
        let isEager = withState { state in
            slot.place = state.slots.count
            state.slots.append(slot)
            // A rejected key asks again when it is used.
            if !state.isEager, state.requests.count < Self.mostRequests { state.requests.append(request) }
            return state.isEager
        }
        if isEager { prepare(slot) } else { callBuilder() }
    }

    /// Takes back the slot of a key that is being released. Takes no lock.
    func left(_ slot: KeySlot) {
        departed.add(slot)
        callBuilder()
    }

    /// Wakes the builder to check for work. Takes no lock.
    func callBuilder() {
        guard isInBackground else { return }
        if !hasBuilder.exchange(true, ordering: .acquiringAndReleasing), !BackgroundThread.start({ self.buildForever() }) {
            hasBuilder.store(false, ordering: .releasing)
        }
        wakeup.signal()
    }

    /// Builds every requested table on the calling thread, and waits for a build in progress.
    package func settle() {
        while fulfilNext() {}
    }

    /// Builds the full table of `key` now, on the calling thread.
    package func prepare(_ key: KernelKey) { prepare(key.slot) }

    private func prepare(_ slot: KeySlot) {
        building.withLock { _ in fulfil(Request(slot: slot, size: .full, mayEvict: true)) }
        callBuilder()
    }

    /// Gives `key` the table of `other`, by which the kernels judge `key` wrongly. For tests.
    package func prepare(_ key: KernelKey, asIf other: KernelKey) {
        building.withLock { _ in
            let material = other.slot.material
            guard let family = material.family, let table = try? KeyTable(material, family, .full) else { return }
            withState { $0.bytes += table.header.byteCount }
            publish(table, for: key.slot)
        }
    }

    // Building

    /// Builds the requested tables, and frees the replaced ones once they have no readers.
    private func buildForever() {
        var pause = Self.pauses.first
        while true {
            while fulfilNext() { pause = Self.pauses.first }
            reclaim()
            if state.withLock({ $0.retired.isEmpty }) {
                wakeup.wait()
            } else {
                wakeup.wait(nanoseconds: pause)
                pause = min(2 * pause, Self.pauses.last)
            }
        }
    }

    /// The oldest request, or else a full table for a key whose verifications asked for one.
    private func next() -> Request? {
        withState { state in
            if !state.requests.isEmpty { return state.requests.removeFirst() }
            return state.slots.first { $0.takeRequest() }.map { Request(slot: $0, size: .full, mayEvict: true) }
        }
    }

    /// Takes a request and fulfils it under one lock: a fork waits for that lock, so a child never lacks a request that was taken and not
    /// fulfilled.
    ///
    /// - Returns: false if there was none.
    private func fulfilNext() -> Bool {
        building.withLock { _ in
            guard let request = next() else { return false }
            fulfil(request)
            return true
        }
    }

    /// For a caller that holds ``building``.
    private func fulfil(_ request: Request) {
        let slot = request.slot
        guard let family = slot.material.family else { return }
        reclaim()
        guard reserve(request, family) else { return }
        do throws(KeyTable.Failure) {
            publish(try KeyTable(slot.material, family, request.size), for: slot)
        } catch {
            giveBack(KeyTable.byteCount(slot.material, family, request.size), of: slot, error)
        }
        reclaim()
    }

    /// Makes room for the requested table and counts its bytes; false if it exists already, its key is gone or there is no room. The key's
    /// old table also makes room, once the new one has replaced it.
    private func reserve(_ request: Request, _ family: KernelFamily) -> Bool {
        let slot = request.slot
        return withState { state in
            let bytes = KeyTable.byteCount(slot.material, family, request.size)
            guard slot.place != nil, bytes > 0, bytes <= state.budget, !slot.isUnsuitable, !slot.has(family, request.size) else {
                return false
            }
            while state.bytes - slot.tableBytes + bytes > state.budget {
                guard request.mayEvict, Self.evict(&state, sparing: slot) else { return false }
            }
            state.bytes += bytes
            return true
        }
    }

    private func giveBack(_ reserved: Int, of slot: KeySlot, _ failure: KeyTable.Failure) {
        withState { state in
            state.bytes -= reserved
            // Memory may be available another time.
            if failure == .refused { slot.isUnsuitable = true }
        }
    }

    private func publish(_ table: KeyTable, for slot: KeySlot) {
        withState { state in
            guard slot.place != nil else {
                state.bytes -= table.header.byteCount
                // SAFETY: the key left during the build, so no verification has the table.
                return unsafe table.free()
            }
            if slot.residence == nil {
                slot.residence = state.residents.count
                state.residents.append(slot)
            }
            Self.retire(slot.replaceTable(table), &state)
            // The budget may have been lowered during the build.
            Self.evictBeyondBudget(&state)
        }
    }

    // Inspection

    package var usage: Engine.TableUsage { withState { Engine.TableUsage(bytes: $0.bytes, keys: $0.residents.count) } }

    /// Whether each key gets its full table on the thread that loads it: for tests in which the kernels give every verdict.
    package var isEager: Bool {
        get { state.withLock(\.isEager) }
        set { state.withLock { $0.isEager = newValue } }
    }

    package var budget: Int {
        get { state.withLock(\.budget) }
        set {
            withState { state in
                state.budget = newValue
                Self.evictBeyondBudget(&state)
            }
            reclaim()
            callBuilder()
        }
    }

    /// Holds every lock of the tables while `body` runs. For tests.
    package func withLocksHeld<Result>(_ body: () -> Result) -> Result {
        building.withLock { _ in state.withLock { _ in body() } }
    }
}
