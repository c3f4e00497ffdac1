#if HTTP
import Pictures
import Program

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The terminal that shows the slider.
struct TerminalScreen {
    let columns: Int
    let rows: Int
    let colours: TerminalColours

    /// The reason why this terminal cannot show a slider.
    struct Unsuitable: Error {
        let reason: String
    }

    /// - Throws: ``Unsuitable`` if standard input or standard error is not a terminal, or if the terminal cannot show a picture.
    init() throws(Unsuitable) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { throw Unsuitable(reason: "this is no terminal") }
        guard let name = Environment["TERM"], name != "dumb" else { throw Unsuitable(reason: "TERM names no terminal with colours") }
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else {
            throw Unsuitable(reason: "the terminal does not report its size")
        }
        (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
        guard TerminalSlider.fits(columns: columns, rows: rows) else {
            throw Unsuitable(reason: "the terminal is too small, with \(columns) columns and \(rows) lines")
        }
        colours = TerminalColours(colorterm: Environment["COLORTERM"], term: name)
    }
}
#endif
