internal import JWTCore
internal import ReplayMemory

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The block of a memory of uses: of the host, or a mapping that the children of a fork share. With a block for each child, each would
/// admit a thing once.
@safe
final class HostedBlock: @unchecked Sendable {
    // SAFETY: mapped in init and unmapped in deinit, when nobody uses the block; nil for a block of the host.
    private let mapping: UnsafeMutableRawPointer?
    private let bytes: Int
    let block: ReplayBlock

    /// The most entries that a block can be made for: 16 GiB.
    static let mostEntries: UInt64 = 1 << 30

    /// - Parameter entries: from 1 to ``mostEntries``.
    /// - Returns: the bytes of a block; nil for a number out of range.
    static func bytes(entries: UInt64) -> Int? {
        (1...mostEntries).contains(entries) ? ReplayBlock.wordCount(entries: Int(entries)) * 8 : nil
    }

    /// A block of its own. Nil for a number of entries out of range, and without memory.
    init?(entries: UInt64, now: NumericDate) {
        guard let bytes = Self.bytes(entries: entries) else { return nil }
        let mapping = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
        guard let block = unsafe ReplayBlock(mapping, words: bytes / 8, isNew: true, now: now) else { return nil }
        unsafe self.mapping = mapping
        self.bytes = bytes
        self.block = block
    }

    /// A block of the host. Nil for one that is too small, for a start that is no multiple of 64 bytes, and for a block that is not new and
    /// was not made by this layout with this size.
    @unsafe
    init?(_ start: UnsafeMutableRawPointer, bytes: Int, isNew: Bool, now: NumericDate) {
        guard bytes >= 0, Int(bitPattern: start) % 64 == 0, bytes / 8 >= ReplayBlock.wordCount(entries: 1),
            let block = unsafe ReplayBlock(start, words: bytes / 8, isNew: isNew, now: now)
        else { return nil }
        unsafe mapping = nil
        self.bytes = bytes
        self.block = block
    }

    deinit { if let mapping = unsafe mapping { unsafe munmap(mapping, bytes) } }
}
