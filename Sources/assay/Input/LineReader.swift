/// Reads the lines of a file without LF or CR LF, each as soon as it is complete.
///
/// A line of more than `limit` bytes is truncated, to a length that is still above `limit`.
struct LineReader {
    private let file: InputFile
    /// The limit, one byte to exceed it, and one byte for a CR.
    private let mostHeld: Int
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var unread = 0..<0

    init(_ file: InputFile, limit: Int) {
        self.file = file
        mostHeld = limit + 2
    }

    /// The next line; nil at the end of the file.
    mutating func next() throws(CommandFailure) -> [UInt8]? {
        var line: [UInt8] = []
        while try hasMore() {
            let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
            line += buffer[unread.lowerBound..<(end ?? unread.upperBound)].prefix(mostHeld - line.count)
            unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
            if end != nil { return Self.withoutCR(line) }
        }
        return line.isEmpty ? nil : Self.withoutCR(line)
    }

    private mutating func hasMore() throws(CommandFailure) -> Bool {
        if unread.isEmpty { unread = 0..<(try file.fill(&buffer)) }
        return !unread.isEmpty
    }

    private static func withoutCR(_ line: [UInt8]) -> [UInt8] { line.last == UInt8(ascii: "\r") ? line.dropLast() : line }
}
