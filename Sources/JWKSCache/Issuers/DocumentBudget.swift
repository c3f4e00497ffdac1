internal import JWTCore
internal import Locks

/// Limits the bytes of all key sets that can be fetched again when needed.
final class DocumentBudget: Sendable {
    private let limit: Int
    private let members = Locked<[Member]>([])

    private struct Member: Sendable {
        weak var keys: RemoteKeySet?
    }

    init(limit: Int) { self.limit = limit }

    func add(_ keys: RemoteKeySet) {
        members.withLock { members in
            if members.count.isMultiple(of: 256) { members.removeAll { $0.keys == nil } }
            members.append(Member(keys: keys))
        }
    }

    /// Drops the least recently used sets until the rest is within the limit. Called after each installation.
    func enforce() {
        var held = members.withLock { $0.compactMap(\.keys) }.map { (keys: $0, bytes: $0.documentBytes, lastUse: $0.lastUse) }
        var bytes = held.reduce(0) { $0 + $1.bytes }
        guard bytes > limit else { return }
        held.sort { $0.lastUse > $1.lastUse }
        while bytes > limit, let oldest = held.popLast() {
            bytes -= oldest.bytes
            if oldest.bytes > 0 { oldest.keys.unload() }
        }
    }
}
