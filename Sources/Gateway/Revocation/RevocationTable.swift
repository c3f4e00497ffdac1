internal import JWTCore
internal import Synchronization

/// Revocations by name, for look-ups that take no lock and allocate nothing, while one writer at a time adds to them.
///
/// Each name is found by open addressing: a slot holds the place of a record. A record and its name never change: an entry that comes again
/// with a later date gets a new record, and its slot the new place. Names are compared byte for byte.
@safe
final class RevocationTable: @unchecked Sendable {
    /// What the name of a record is.
    enum Kind: UInt8 {
        case keyID, subject, subjectBefore, tokenID, sessionID
        /// Without a name.
        case issuedBefore
        /// No entry: the scope revokes some key. Without a name.
        case anyKey
        /// No entry: its place plus one is the scope of the issuer's entries.
        case issuer
    }

    /// What readers need of an entry.
    struct Record {
        let kind: Kind
        /// Zero for the entries of every issuer.
        let scope: UInt32
        let nameBytes: UInt32
        let start: Int
        let before: NumericDate
    }

    // SAFETY: allocated and initialised in init, freed in deinit, when there are no readers. A record and its name are written before their
    // slot, which is read and written atomically, and never again. The rest belongs to the writer.
    private let slots: UnsafeMutablePointer<Atomic<UInt32>>
    private let records: UnsafeMutablePointer<Record>
    private let names: UnsafeMutablePointer<UInt8>
    /// When each record's entry ends. Nil for a record that is no entry or was replaced.
    private let ends: UnsafeMutablePointer<NumericDate?>
    private let slotCount: Int
    private let recordRoom: Int
    private let nameRoom: Int
    private var recordCount = 0
    private var nameBytes = 0
    private let presentKinds = Atomic<UInt32>(0)

    /// Entries.
    private(set) var count = 0
    /// No entry ends earlier.
    private(set) var firstEnd = NumericDate.never

    /// Of its memory.
    var bytes: Int {
        nameRoom + slotCount * MemoryLayout<UInt32>.stride
            + recordRoom * (MemoryLayout<Record>.stride + MemoryLayout<NumericDate?>.stride)
    }

    /// - Parameters:
    ///   - records: for how many there is room: each entry and each issuer has one, and each scope that revokes a key one more.
    ///   - nameBytes: of all names together.
    init(records: Int = 0, nameBytes: Int = 0) {
        var size = 64
        while size < records { size *= 2 }
        recordRoom = size
        slotCount = 2 * size
        nameRoom = max(16 * size, nameBytes)
        unsafe slots = .allocate(capacity: slotCount)
        for slot in 0..<slotCount { unsafe (slots + slot).initialize(to: Atomic(0)) }
        unsafe self.records = .allocate(capacity: recordRoom)
        unsafe ends = .allocate(capacity: recordRoom)
        unsafe names = .allocate(capacity: nameRoom)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe records.deallocate()
        unsafe ends.deallocate()
        unsafe names.deallocate()
    }

    // Reading

    /// A bit for each kind that entries of every issuer have, and in the second byte for those of single issuers.
    var kinds: UInt32 { presentKinds.load(ordering: .acquiring) }

    /// The place of a record without a name, or -1.
    func place(_ kind: Kind, _ scope: UInt32) -> Int { stored(slot(kind, scope, JSONString(name(0, 0), isEscaped: false))) }

    /// The place of a record, or -1.
    func place(_ kind: Kind, _ scope: UInt32, _ name: borrowing JSONString) -> Int { stored(slot(kind, scope, name)) }

    func record(at place: Int) -> Record {
        precondition(place >= 0 && place < recordRoom)
        return unsafe records[place]
    }

    /// The place in a slot, or -1.
    private func stored(_ slot: Int) -> Int { unsafe Int(slots[slot].load(ordering: .acquiring)) - 1 }

    /// The slot where a record is or would be. There is always a free one.
    private func slot(_ kind: Kind, _ scope: UInt32, _ name: borrowing JSONString) -> Int {
        let key = (name.hash ^ (UInt64(scope) << 8 | UInt64(kind.rawValue))) &* 0x9e37_79b9_7f4a_7c15
        var slot = Int(truncatingIfNeeded: key >> 32) & (slotCount - 1)
        while true {
            let place = stored(slot)
            if place < 0 { return slot }
            let record = unsafe records[place]
            if record.kind == kind, record.scope == scope, name.equals(self.name(record.start, record.nameBytes)) { return slot }
            slot = (slot + 1) & (slotCount - 1)
        }
    }

    @_lifetime(borrow self)
    private func name(_ start: Int, _ count: UInt32) -> Span<UInt8> {
        // SAFETY: the names of records are written, and within the memory, which this table keeps.
        let span = unsafe Span(_unsafeStart: UnsafePointer(names + start), count: Int(count))
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}

// MARK: Writing

extension RevocationTable {
    /// What became of an entry.
    enum Addition {
        case added
        /// It was there; its dates are the later ones now.
        case known
        /// It is not there, and there is no room.
        case noRoom
    }

    /// Adds an entry, or gives the one that is there the later dates. For one writer at a time.
    func add(_ entry: RevocationList.Entry) -> Addition {
        let kind = entry.subject.kind, name = Array(entry.subject.name.utf8), issuer = entry.issuer.map { Array($0.utf8) }
        return add(kind, name.span, issuer: issuer, entry.subject.before, entry.until ?? .never)
    }

    private func add(
        _ kind: Kind, _ name: Span<UInt8>, issuer: [UInt8]?, _ before: NumericDate, _ until: NumericDate
    ) -> Addition {
        guard recordCount + 3 <= recordRoom, nameBytes + name.count + (issuer?.count ?? 0) <= nameRoom else { return .noRoom }
        var scope: UInt32 = 0
        if let issuer {
            let slot = slot(.issuer, 0, JSONString(issuer.span, isEscaped: false)), known = stored(slot)
            scope = UInt32(1 + (known < 0 ? insert(.issuer, 0, issuer.span, in: slot) : known))
        }
        firstEnd = min(firstEnd, until)
        let slot = slot(kind, scope, JSONString(name, isEscaped: false)), known = stored(slot)
        guard known < 0 else {
            unsafe renew(slot, known, before, max(until, ends[known] ?? until))
            return .known
        }
        if kind == .keyID, place(.anyKey, scope) < 0 {
            _ = insert(.anyKey, scope, self.name(0, 0), in: self.slot(.anyKey, scope, JSONString(self.name(0, 0), isEscaped: false)))
        }
        _ = insert(kind, scope, name, before: before, until: until, in: slot)
        count += 1
        presentKinds.bitwiseOr(1 << (UInt32(kind.rawValue) + (scope == 0 ? 0 : 8)), ordering: .releasing)
        return .added
    }

    /// Whether an entry with the same name is there.
    func has(_ entry: RevocationList.Entry) -> Bool {
        let name = Array(entry.subject.name.utf8), issuer = Array((entry.issuer ?? "").utf8)
        let scope = entry.issuer == nil ? 0 : place(.issuer, 0, JSONString(issuer.span, isEscaped: false)) + 1
        guard entry.issuer == nil || scope > 0 else { return false }
        return place(entry.subject.kind, UInt32(scope), JSONString(name.span, isEscaped: false)) >= 0
    }

    private func renew(_ slot: Int, _ place: Int, _ before: NumericDate, _ until: NumericDate) {
        let record = unsafe records[place]
        guard before > record.before else {
            unsafe ends[place] = until
            return
        }
        unsafe ends[place] = nil
        let next = Record(kind: record.kind, scope: record.scope, nameBytes: record.nameBytes, start: record.start, before: before)
        append(next, until: until, in: slot)
    }

    private func insert(
        _ kind: Kind, _ scope: UInt32, _ name: Span<UInt8>, before: NumericDate = .never, until: NumericDate? = nil, in slot: Int
    ) -> Int {
        let start = nameBytes
        for place in 0..<name.count { unsafe (names + start + place).initialize(to: name[place]) }
        nameBytes += name.count
        let record = Record(kind: kind, scope: scope, nameBytes: UInt32(name.count), start: start, before: before)
        return append(record, until: until, in: slot)
    }

    @discardableResult
    private func append(_ record: Record, until: NumericDate?, in slot: Int) -> Int {
        let place = recordCount
        unsafe (records + place).initialize(to: record)
        unsafe (ends + place).initialize(to: until)
        recordCount += 1
        unsafe slots[slot].store(UInt32(place + 1), ordering: .releasing)
        return place
    }

    /// The table with more entries: this one, or where it has no room a copy.
    ///
    /// - Parameter limit: of entries; those that would exceed it are left out.
    /// - Returns: also how many entries were copied, and whether all are there.
    func adding(_ entries: [RevocationList.Entry], limit: Int = .max) -> (table: RevocationTable, copies: Int, isComplete: Bool) {
        var table = self, copies = 0, isComplete = true
        for (place, entry) in entries.enumerated() {
            if table.count >= limit, !table.has(entry) {
                isComplete = false
                continue
            }
            guard case .noRoom = table.add(entry) else { continue }
            copies += table.count
            table = table.copy(adding: entries[place...])
            _ = table.add(entry)
        }
        return (table, copies, isComplete)
    }

    /// The entries in a table with room for as many again, and for `more`.
    ///
    /// - Parameter date: entries that ended before it are left out.
    func copy(adding more: ArraySlice<RevocationList.Entry> = [], droppingBefore date: NumericDate? = nil) -> RevocationTable {
        var kept: [Int] = [], needed = 0, bytes = 0
        for place in 0..<recordCount {
            let record = unsafe records[place]
            if record.kind == .issuer || record.kind == .anyKey {
                needed += 1
                bytes += Int(record.nameBytes)
            } else if let end = unsafe ends[place], date.map({ end >= $0 }) ?? true {
                needed += 1
                bytes += Int(record.nameBytes)
                kept.append(place)
            }
        }
        let moreBytes = more.reduce(0) { $0 + $1.nameBytes }
        let next = RevocationTable(records: needed + max(needed, more.count) + 3, nameBytes: bytes + max(bytes, moreBytes))
        for place in kept {
            let record = unsafe records[place], end = unsafe ends[place]
            let issuer = record.scope == 0 ? nil : array(of: unsafe records[Int(record.scope) - 1])
            _ = next.add(record.kind, name(record.start, record.nameBytes), issuer: issuer, record.before, end ?? .never)
        }
        return next
    }

    private func array(of record: Record) -> [UInt8] {
        let name = name(record.start, record.nameBytes)
        return [UInt8](capacity: name.count) { output in for place in 0..<name.count { output.append(name[place]) } }
    }

    /// The entries in the order in which they came.
    var entries: [RevocationList.Entry] {
        (0..<recordCount).compactMap { place in
            guard let until = unsafe ends[place] else { return nil }
            let record = unsafe records[place]
            let issuer = record.scope == 0 ? nil : String(decoding: array(of: unsafe records[Int(record.scope) - 1]), as: UTF8.self)
            let subject = RevocationList.Subject(record.kind, String(decoding: array(of: record), as: UTF8.self), record.before)
            return subject.map { RevocationList.Entry(issuer: issuer, until: until == .never ? nil : until, $0) }
        }
    }
}
