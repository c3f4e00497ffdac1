/// The names of a text's objects: one lookup tells whether a name is new, instead of a comparison with each of the others.
///
/// One table for the text, in scratch memory, made when an object first has many names: open addressing, twice as many slots as there can
/// be names. A slot holds the record of an object and that of a name; zero is an empty slot, because no name is record 0.
struct JSONNameSet: ~Copyable {
    /// Objects with fewer names are compared name by name.
    static let least = 16

    private var slots: Scratch<UInt64>
    private let mask: Int

    /// - Parameter names: the maximum number of names.
    /// - Throws: `token_too_large` if memory is exhausted.
    init(names: Int) throws(VerificationError) {
        var size = 64
        while size < 2 * names { size *= 2 }
        var slots = try Scratch<UInt64>(capacity: size)
        var all = slots.mutableSpan()
        for slot in 0..<size { all[slot] = 0 }
        self.slots = slots
        mask = size - 1
    }

    /// Adds the name in record `name` of the object in record `object`, unless the object already has one for which `isSame` holds.
    ///
    /// - Returns: whether the name is new.
    mutating func insert(_ name: Int, of object: Int, hash: UInt32, isSame: (Int) -> Bool) -> Bool {
        let mask = mask
        var all = slots.mutableSpan()
        var slot = Int(truncatingIfNeeded: (UInt64(hash) ^ UInt64(object) << 32) &* 0x9e37_79b9_7f4a_7c15 >> 32) & mask
        while all[slot] != 0 {
            if all[slot] >> 32 == UInt64(object), isSame(Int(all[slot] & 0xffff_ffff)) { return false }
            slot = (slot + 1) & mask
        }
        all[slot] = UInt64(object) << 32 | UInt64(name)
        return true
    }
}
