#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

// Inside the type its own function hides that of the system.
private func writeSome(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, start, count)
}

/// Standard error as a descriptor.
enum StandardError {
    /// Writes all bytes, in one system call if it takes them, so that lines of several threads do not mix. Gives up if they have no reader.
    static func write(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            // SAFETY: `start` is below the count.
            let written = unsafe bytes.withUnsafeBytes { unsafe writeSome(2, $0.baseAddress! + start, $0.count - start) }
            if written > 0 {
                start += written
            } else if errno == EAGAIN {
                // Another program has made the terminal or the pipe nonblocking.
                var wait = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, 1_000)
            } else if errno != EINTR {
                return
            }
        }
    }
}
