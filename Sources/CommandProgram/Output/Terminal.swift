internal import JWTCore
internal import Program

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Standard output or standard error: coloured on a terminal, plain in a pipe or if `NO_COLOR` is set.
///
/// A failed write to standard output ends the command. A failed write to standard error is ignored: there is nowhere to report it.
package struct Terminal {
    package static let output = Terminal(STDOUT_FILENO)
    package static let error = Terminal(STDERR_FILENO)

    private let descriptor: Int32
    /// Whether the stream is a terminal.
    package let isTerminal: Bool
    package let isColoured: Bool

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        isColoured = isTerminal && Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb"
    }

    package func line(_ text: String) { write(text + "\n") }

    /// Writes a JSON document as a line, without characters that a terminal acts on.
    package func json(_ document: String) { line(printableJSON(document)) }

    /// Writes a value as a JSON document, with its members sorted by name.
    package func json(encoding value: some Encodable) {
        if let document = try? JSONTree(encoding: value) { json(String(decoding: document.json, as: UTF8.self)) }
    }

    package func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes all of `bytes` unchanged.
    package func write(bytes: [UInt8]) {
        guard let number = failure(writing: bytes), descriptor == STDOUT_FILENO else { return }
        // The reader closed the pipe, as in `| head`. The shell reports the same code for a command that SIGPIPE ended.
        if number == EPIPE { exit(CommandFailure.brokenPipe) }
        Terminal.error.line(CommandFailure.system("cannot write to standard output", number).message)
        exit(CommandFailure.failedOutput)
    }

    /// Writes everything and returns nil, or returns the system's error number.
    private func failure(writing bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe writeSome(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                waitUntilReady(descriptor, for: POLLOUT)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// `text` in a style, if this stream shows styles.
    package func styled(_ text: String, _ style: Style) -> String { isColoured ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text }

    package enum Style: String {
        case good = "32"
        case bad = "31"
        case warning = "33"
        case name = "36"
        case dim = "2"
        case bold = "1"
    }
}

// Inside the type its own functions hide that of the system.
private func writeSome(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, start, count)
}

/// Waits until a descriptor is ready that another process made non-blocking.
package func waitUntilReady(_ descriptor: Int32, for events: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    unsafe poll(&request, 1, -1)
}
