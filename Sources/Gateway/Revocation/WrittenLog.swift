internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The file of a log as its writer has it. It is replaced as a whole when most of its lines have ended, and after a failure: what a failed write
/// left of a line must not stand in front of the next one, and after a failed sync it is unknown what the disk has.
struct WrittenLog {
    private let path: String
    private var descriptor: Int32
    private(set) var table: RevocationTable
    private var lines: Int
    private var bytes: Int
    /// At so many lines the next look for entries that have ended.
    private var nextCheck = 0
    private var isDoubtful = false

    /// Fewer lines are not worth a new file.
    private static let fewLines = 4_096

    init(_ path: String, now: NumericDate) throws(RevocationLogFailure) {
        let descriptor = try LogFile.openForWriting(path)
        self.path = path
        self.descriptor = descriptor
        var read = RevocationLines()
        do throws(RevocationLogFailure) {
            table = try Self.read(&read, descriptor, path)
            bytes = try Self.mend(read, descriptor, path)
        } catch {
            systemClose(descriptor)
            throw error
        }
        // A new log has its first line now.
        lines = max(1, read.count)
        dropEnded(now)
    }

    private static func read(_ lines: inout RevocationLines, _ descriptor: Int32, _ path: String) throws(RevocationLogFailure)
        -> RevocationTable
    {
        var table = RevocationTable(), hasMore = true
        while hasMore {
            guard let part = lines.read(descriptor) else { throw .ofSystem(.unreadable, path) }
            table = table.adding(part.entries).table
            hasMore = part.hasMore
        }
        if let fault = lines.fault { throw RevocationLogFailure(fault.code, path, line: fault.line) }
        return table
    }

    /// Cuts off a line without an end, and writes the first line of a new log.
    ///
    /// - Returns: the size.
    private static func mend(_ lines: RevocationLines, _ descriptor: Int32, _ path: String) throws(RevocationLogFailure) -> Int {
        let size = try LogFile.size(descriptor, path)
        if lines.count == 0 {
            let header = RevocationLine.header
            guard let start = DescriptorBytes.read(descriptor, upTo: header.count) else { throw .ofSystem(.unreadable, path) }
            guard size < header.count, header.starts(with: start) else { throw RevocationLogFailure(.foreignFile, path) }
            try LogFile.truncate(descriptor, to: 0, path)
            try LogFile.append(header, to: descriptor, path)
            try LogFile.synchronizeFolder(of: path)
            return header.count
        }
        if size > lines.end { try LogFile.truncate(descriptor, to: lines.end, path) }
        return lines.end
    }

    /// Whether `count` entries more are within the limit, without those that have ended.
    mutating func hasRoom(for count: Int, _ limit: Int, _ now: NumericDate) -> Bool {
        if table.count + count > limit, table.firstEnd < now { table = table.copy(droppingBefore: now) }
        return table.count + count <= limit
    }

    /// Adds entries and their lines, on the disk when it returns.
    mutating func append(_ entries: [RevocationList.Entry], _ text: [UInt8], _ now: NumericDate) throws(RevocationLogFailure) {
        guard !entries.isEmpty else { return }
        // Another process may have moved the file away: readers look at the path.
        if isDoubtful || bytes + text.count > RevocationLines.mostBytes || !LogFile.isAt(path, descriptor) { try replace(now) }
        guard bytes + text.count <= RevocationLines.mostBytes else { throw RevocationLogFailure(.full, path) }
        isDoubtful = true
        try LogFile.append(text, to: descriptor, path)
        isDoubtful = false
        table = table.adding(entries).table
        lines += entries.count
        bytes += text.count
        if lines >= nextCheck { dropEnded(now) }
    }

    /// Drops the entries that have ended, and their lines too where these are most of the file. A failure leaves the file as it is.
    private mutating func dropEnded(_ now: NumericDate) {
        if table.firstEnd < now { table = table.copy(droppingBefore: now) }
        if lines > 2 * table.count + Self.fewLines { try? replace(now) }
        nextCheck = lines + max(lines, Self.fewLines)
    }

    private mutating func replace(_ now: NumericDate) throws(RevocationLogFailure) {
        if table.firstEnd < now { table = table.copy(droppingBefore: now) }
        var text = RevocationLine.header
        for entry in table.entries { text += RevocationLine.text(entry) ?? [] }
        let next = try LogFile.replace(path, by: text, former: descriptor)
        systemClose(descriptor)
        descriptor = next
        isDoubtful = false
        lines = table.count + 1
        bytes = text.count
    }

    func close() { systemClose(descriptor) }
}

// Inside the type its own function hides that of the system.
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
