import Foundation

/// An output stream: coloured on a terminal, plain in a pipe, plain where `NO_COLOR` is set.
struct Terminal {
    static let output = Terminal(FileHandle.standardOutput)
    static let error = Terminal(FileHandle.standardError)

    private let handle: FileHandle
    let isColoured: Bool

    private init(_ handle: FileHandle) {
        self.handle = handle
        let environment = ProcessInfo.processInfo.environment
        isColoured = isatty(handle.fileDescriptor) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    /// Writes a line. A reader that has gone away (`| head`) is not an error.
    func line(_ text: String) { write(text + "\n") }

    func write(_ text: String) { try? handle.write(contentsOf: Data(text.utf8)) }

    /// `text` in a style, where this stream shows styles.
    func styled(_ text: String, _ style: Style) -> String { isColoured ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text }

    enum Style: String {
        case good = "32"
        case bad = "31"
        case warning = "33"
        case name = "36"
        case dim = "2"
        case bold = "1"
    }
}
