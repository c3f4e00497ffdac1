/// Maps a name (a `kid`, a `jti`) to the entries with that name, in constant time: open addressing over twice as many slots as names. Names
/// are compared byte for byte; Swift's `String` would treat two encodings of one letter as equal.
///
/// Looked-up names may be hostile; names in the table are not. So a bad hash only costs the attacker's own token a few comparisons.
package struct NameIndex: Sendable {
    /// All names, concatenated: with an array of arrays, each array would be retained separately.
    private var bytes: [UInt8] = []
    private var entries: [Range<Int>?] = []
    /// Bytes of the longest name.
    private var longest = 0
    /// The first entry of each name, or -1.
    private var slots: [Int]
    /// The next entry of the same name, or -1.
    private var following: [Int]

    /// Entries without a name are never found.
    package init(_ names: [String?]) {
        for name in names {
            let start = bytes.count
            bytes += name?.utf8 ?? "".utf8
            entries.append(name == nil ? nil : start..<bytes.count)
            longest = max(longest, bytes.count - start)
        }
        var size = 4
        while size < 2 * entries.count { size *= 2 }
        slots = Array(repeating: -1, count: size)
        following = Array(repeating: -1, count: entries.count)
        for position in entries.indices { insert(position) }
    }

    private mutating func insert(_ position: Int) {
        guard let entry = entries[position] else { return }
        let slot = self.slot(of: JSONString(bytes.span.extracting(entry), isEscaped: false))
        guard slots[slot] >= 0 else {
            slots[slot] = position
            return
        }
        var last = slots[slot]
        while following[last] >= 0 { last = following[last] }
        following[last] = position
    }

    /// The names, in order.
    var names: [String] { entries.compactMap { $0.map { String(decoding: bytes[$0], as: UTF8.self) } } }

    /// The first entry called `name`, or -1.
    package func first(_ name: borrowing JSONString) -> Int { name.exceeds(longest) ? -1 : slots[slot(of: name)] }

    /// The next entry of the same name, or -1.
    func next(after position: Int) -> Int { following[position] }

    /// The slot where `name` is or would be. There is always a free slot.
    private func slot(of name: borrowing JSONString) -> Int {
        var slot = Int(truncatingIfNeeded: name.hash) & (slots.count - 1)
        while slots[slot] >= 0, !isCalled(slots[slot], name) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func isCalled(_ position: Int, _ name: borrowing JSONString) -> Bool {
        guard let entry = entries[position] else { return false }
        let bytes = bytes.span.extracting(entry)
        return name.isEscaped ? name.equals(bytes) : name.raw.equals(bytes)
    }
}

extension JSONString {
    /// The hash of the unescaped bytes. Without a secret: only for tables whose names no attacker can choose.
    package var hash: UInt64 {
        guard isEscaped else { return raw.hash }
        var hash = RunningHash()
        var decoder = JSONStringDecoder()
        while let byte = decoder.next(in: raw) { hash.add(byte) }
        return hash.value
    }
}
