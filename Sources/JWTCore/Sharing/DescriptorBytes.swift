#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Reads and writes an open file as a whole. The caller opens and closes it.
package enum DescriptorBytes {
    /// The bytes up to the end, at most `limit` of them; nil if the system cannot read.
    package static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: max(1, min(limit, 65_536)))
        while bytes.count < limit {
            let wanted = min(chunk.count, limit - bytes.count)
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe readSome(descriptor, $0.baseAddress, wanted) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Lends the bytes up to the end to `body`, and wipes them. One piece of memory has them all the time.
    ///
    /// - Parameters:
    ///   - limit: the number of bytes that are read at most.
    ///   - body: receives the bytes; they cannot leave it.
    /// - Returns: the result of `body`; nil if the system cannot read.
    package static func lendSecret<Result>(
        _ descriptor: Int32, upTo limit: Int, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        var bytes = [UInt8](repeating: 0, count: max(1, limit)), end = 0
        defer { bytes.wipe() }
        while end < limit {
            let count = unsafe bytes.withUnsafeMutableBytes { memory in
                unsafe readSome(descriptor, memory.baseAddress.map { unsafe $0 + end }, limit - end)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            end += count
        }
        return body(bytes.span.extracting(0..<end))
    }

    /// The whole file at `path`; nil if it cannot be read.
    package static func read(path: String, upTo limit: Int = .max) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor, upTo: limit)
    }

    /// Writes everything.
    ///
    /// - Returns: zero, or the system's error number.
    package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe writeSome(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }
}

// Inside the type its own functions hide those of the system.

private func readSome(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, start, count)
}

private func writeSome(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, start, count)
}
