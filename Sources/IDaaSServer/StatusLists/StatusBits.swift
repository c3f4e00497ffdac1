/// The statuses of a list, one bit each: the first in a byte is its lowest bit (draft-ietf-oauth-status-list-20 section 4.1).
package struct StatusBits: Hashable, Sendable {
    package private(set) var bytes: [UInt8]

    /// - Parameter count: a multiple of eight.
    init(count: Int) { bytes = [UInt8](repeating: 0, count: count / 8) }

    /// Sets a status to 1 (INVALID). A place that the list does not have is another program's mistake, and is passed over.
    mutating func set(_ index: Int) {
        guard index >= 0, index / 8 < bytes.count else { return }
        bytes[index / 8] |= 1 << UInt8(index % 8)
    }
}
