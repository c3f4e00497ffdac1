import CommandProgram
import JWTCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads the lines of a file without LF or CR LF, in blocks: all lines that one read completes, at most ``mostLines``. So a program at the
/// other end of a pipe gets its verdict before it writes the next line, and a file is read in large pieces.
///
/// A line of more than `limit` bytes is truncated, to a length that is still above `limit`. The memory does not grow with the input.
struct TokenLines {
    private let file: InputFile
    /// The limit, one byte to exceed it, and one byte for a CR.
    private let mostHeld: Int
    private var buffer = [UInt8](repeating: 0, count: 262_144)
    private var unread = 0..<0
    private var isAtEnd = false
    /// The number of lines in the blocks so far.
    private(set) var lines = 0
    /// The bytes read so far.
    private(set) var bytes = 0

    /// The lines of a block. Four runs of the batch verification, times four: more would not be faster.
    private static let mostLines = 1_024

    init(_ file: InputFile, limit: Int) {
        self.file = file
        mostHeld = limit + 2
    }

    /// The size of a regular file in bytes; nil for anything else.
    var size: Int? { file.size }

    /// Replaces the tokens of `block` with those of the next lines.
    ///
    /// - Returns: false at the end of the file.
    mutating func next(into block: inout TokenBatch) throws(CommandFailure) -> Bool {
        block.removeAll()
        while true {
            takeLines(into: &block)
            if block.count == 0, isAtEnd { takeRest(into: &block) }
            if block.count > 0 || isAtEnd {
                lines += block.count
                return block.count > 0
            }
            try fill()
        }
    }

    /// Moves the complete lines of the buffer into `block`.
    private mutating func takeLines(into block: inout TokenBatch) {
        while block.count < Self.mostLines, let end = lineEnd {
            append(unread.lowerBound..<end, to: &block)
            unread = end + 1..<unread.upperBound
        }
    }

    /// The position of the next LF.
    private var lineEnd: Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard !unread.isEmpty, let base = bytes.baseAddress else { return nil }
            // SAFETY: `unread` is a part of the buffer.
            return unsafe memchr(base + unread.lowerBound, 0x0a, unread.count).map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    /// The last line, without LF.
    private mutating func takeRest(into block: inout TokenBatch) {
        guard !unread.isEmpty else { return }
        append(unread, to: &block)
        unread = 0..<0
    }

    private func append(_ line: Range<Int>, to block: inout TokenBatch) {
        var line = line.prefix(mostHeld)
        if let last = line.last, buffer[last] == UInt8(ascii: "\r") { line = line.dropLast() }
        block.append(buffer.span.extracting(line.startIndex..<line.endIndex))
    }

    /// Moves the beginning of an incomplete line to the front, and reads behind it.
    private mutating func fill() throws(CommandFailure) {
        let held = min(unread.count, mostHeld)
        if unread.lowerBound > 0 { buffer.replaceSubrange(0..<held, with: Array(buffer[unread.prefix(held)])) }
        let count = try file.fill(&buffer, from: held)
        bytes += count
        isAtEnd = count == 0
        unread = 0..<held + count
    }
}
