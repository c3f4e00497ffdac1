internal import Secrets

/// Gives sessions places in status lists, each a random one of the open list.
///
/// Nothing counts the sessions of a list: every login would have to write the same row. A list is full when sixteen random places in a row
/// are taken, which happens when about half of all are.
struct StatusPlaces: Sendable {
    let policy: StatusListPolicy
    /// How long after a session began its id_tokens are all expired.
    let memory: Duration
    let randomness: Randomness

    private static let tries = 16

    init(_ environment: SharedEnvironment) {
        policy = environment.statusLists
        memory = environment.statusMemory
        randomness = environment.randomness
    }

    /// Saves a new session, with a place of its own unless lists are disabled.
    ///
    /// - Throws: ``StoreFailure``: `refused` if randomness finds no place in a new list.
    func open(_ session: inout StoredSession, at now: Timestamp, in store: any StoreWriting) throws {
        guard policy.isEnabled else { return try store.save(session) }
        session.status = try take(at: now, in: store) { [session] place in
            var session = session
            session.status = place
            return try store.insert(session)
        }
    }

    /// Gives a session that began without status lists a place.
    func complete(_ session: inout StoredSession, at now: Timestamp, in store: any StoreWriting) throws {
        guard policy.isEnabled, session.status == nil else { return }
        session.status = try take(at: now, in: store) { [id = session.id] in try store.place(id, at: $0) }
    }

    /// - Parameter take: returns false for a place that is taken.
    private func take(
        at now: Timestamp, in store: any StoreWriting, _ take: (StatusPlace) throws -> Bool
    ) throws -> StatusPlace {
        var list = try store.openStatusList(at: now) ?? openList(at: now, in: store)
        if let place = try place(in: list, take) { return place }
        (list.openUntil, list.expires) = (now, now + memory)
        try store.save(list)
        guard let place = try place(in: openList(at: now, in: store), take) else { throw StoreFailure(.refused, "no place is free") }
        return place
    }

    private func place(in list: StoredStatusList, _ take: (StatusPlace) throws -> Bool) throws -> StatusPlace? {
        for _ in 0..<Self.tries {
            let place = StatusPlace(list: list.id, index: Int(randomness.integer(below: UInt32(list.size))))
            if try take(place) { return place }
        }
        return nil
    }

    private func openList(at now: Timestamp, in store: any StoreWriting) throws -> StoredStatusList {
        let end = now + policy.opening
        let list = StoredStatusList(
            id: randomness.token(characters: 16, alphabet: .base62), size: policy.size, opened: now, openUntil: end, expires: end + memory)
        try store.save(list)
        try store.add(decoys(of: list), to: list.id)
        return list
    }

    /// Between a 1,024th and a 128th of the places. Most are shown early in the list's life, as most sessions end early.
    private func decoys(of list: StoredStatusList) -> [StatusDecoy] {
        let (least, most) = (list.size / 1_024, list.size / 128)
        let count = least + Int(randomness.integer(below: UInt32(most - least + 1)))
        var indices: Set<Int> = []
        while indices.count < count { indices.insert(Int(randomness.integer(below: UInt32(list.size)))) }
        return indices.map { StatusDecoy(index: $0, since: instant(within: list)) }
    }

    /// An instant in the list's life: its fraction is the square of a uniform one.
    private func instant(within list: StoredStatusList) -> Timestamp {
        let fraction = Double(randomness.integer(below: .max)) / Double(UInt32.max)
        let life = Double(list.expires.milliseconds - list.opened.milliseconds)
        return Timestamp(milliseconds: list.opened.milliseconds + Int64(life * fraction * fraction))
    }
}
