/// The bytes of a list, with the size of each status. Not copyable, so that no look-up counts a reference to the bytes.
struct PackedStatuses: ~Copyable, Sendable {
    private let bytes: [UInt8]
    let size: StatusSize

    init(_ bytes: [UInt8], size: StatusSize) {
        self.bytes = bytes
        self.size = size
    }

    var byteCount: Int { bytes.count }

    var count: Int { bytes.count << size.shift }

    /// The status at `index`: the first in a byte has its lowest bits (draft-ietf-oauth-status-list-20 section 4.1). Nil for an index that
    /// is not in the list.
    func status(at index: Int) -> UInt8? {
        guard index >= 0, index < count else { return nil }
        let place = index & (1 << size.shift - 1)
        return bytes[index >> size.shift] >> UInt8(place * size.rawValue) & size.mask
    }
}

/// The size of each status in a list: `bits`, a power of two, so that no status lies in two bytes.
enum StatusSize: Int {
    case one = 1
    case two = 2
    case four = 4
    case eight = 8

    /// The binary logarithm of the number of statuses in a byte.
    var shift: Int { 3 - rawValue.trailingZeroBitCount }

    /// The highest status.
    var mask: UInt8 { .max >> UInt8(8 - rawValue) }
}
