internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Reads the log from where it last ended, a part at a time, and only lines that have their end. A line that is no entry is a fault, and what
/// follows it counts: an entry more is refused rather than one less.
struct RevocationLines {
    /// A larger file is no log: a million entries have 150 MB.
    static let mostBytes = 1 << 29
    private static let partBytes = 1 << 18

    /// So many bytes were read.
    private(set) var offset = 0
    /// The end of the last whole line.
    private(set) var end = 0
    /// Whole lines, with the first one.
    private(set) var count = 0
    /// The first line that is no entry, or what the file is instead of a log.
    private(set) var fault: (code: RevocationLogFailure.Code, line: Int?)?
    /// A line is too long; its end has not come.
    private var isSkipping = false

    /// The entries of the next part, and whether more may follow; nil if the system cannot read.
    mutating func read(_ descriptor: Int32) -> (entries: [RevocationList.Entry], hasMore: Bool)? {
        guard let part = Self.part(descriptor, from: offset) else { return nil }
        var entries: [RevocationList.Entry] = [], start = 0
        while let end = part.span.first(UInt8(ascii: "\n"), in: start..<part.count) {
            take(part[start..<end]).map { entries.append($0) }
            start = end + 1
        }
        if start > 0 { end = offset + start }
        if part.count - start > RevocationLine.mostBytes {
            isSkipping = true
            start = part.count
        }
        offset += start
        return (entries, part.count == Self.partBytes)
    }

    /// Takes a line without its end.
    private mutating func take(_ line: ArraySlice<UInt8>) -> RevocationList.Entry? {
        count += 1
        defer { isSkipping = false }
        if count == 1 {
            let isHeader = line.elementsEqual(RevocationLine.header.dropLast())
            if !isHeader { fault = (RevocationLine.isOtherHeader(line) ? .unsupportedVersion : .foreignFile, nil) }
            return nil
        }
        if let code = fault?.code, code != .corruptLine { return nil }
        guard !isSkipping, line.count <= RevocationLine.mostBytes, let entry = RevocationLine.entry(line) else {
            if fault == nil { fault = (.corruptLine, count) }
            return nil
        }
        return entry
    }

    private static func part(_ descriptor: Int32, from offset: Int) -> [UInt8]? {
        var isRead = true
        let part = unsafe [UInt8](unsafeUninitializedCapacity: partBytes) { buffer, count in
            while count < partBytes {
                let more = unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + count }, partBytes - count, off_t(offset + count))
                if more < 0, errno == EINTR { continue }
                isRead = more >= 0
                guard more > 0 else { return }
                count += more
            }
        }
        return isRead ? part : nil
    }
}
