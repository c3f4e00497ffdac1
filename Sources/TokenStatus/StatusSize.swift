/// The size of each status in a list: `bits`, a power of two, so that no status lies in two bytes.
enum StatusSize: Int {
    case one = 1
    case two = 2
    case four = 4
    case eight = 8

    /// The number of statuses in `bytes` bytes.
    func count(in bytes: Int) -> Int { bytes << shift }

    /// The status at `index`: the first in a byte has its lowest bits (draft-ietf-oauth-status-list-20 section 4.1). Nil for an index that is
    /// not in the list.
    func status(at index: Int, in bytes: Span<UInt8>) -> UInt8? {
        guard index >= 0, index < count(in: bytes.count) else { return nil }
        let place = index & (1 << shift - 1)
        return bytes[index >> shift] >> UInt8(place * rawValue) & mask
    }

    /// The binary logarithm of the number of statuses in a byte.
    private var shift: Int { 3 - rawValue.trailingZeroBitCount }

    private var mask: UInt8 { .max >> UInt8(8 - rawValue) }
}
