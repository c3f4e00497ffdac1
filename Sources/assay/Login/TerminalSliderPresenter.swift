#if HTTP
import Foundation
import IDaaSFlows
import Pictures

/// Draws the slider in the terminal; where there is none, or one too small to aim in, writes the pictures to files.
struct TerminalSliderPresenter: SliderPresenter {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        guard let columns = Self.columns, columns >= TerminalSlider.leastColumns,
            let background = try? PNGReader.picture(challenge.background), let piece = try? PNGReader.picture(challenge.piece)
        else { return await PictureFilePresenter(path: "slider.png").answer(to: challenge) }
        let terminal = Terminal.error
        if challenge.ordinal > 1 { terminal.line("That was not it. A new picture:") }
        // Reading keys would block a thread that others need.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let slider = TerminalSlider(
                    background: background, piece: piece, columns: columns, colours: Self.colours, read: Self.keys, write: terminal.write)
                continuation.resume(returning: RawMode.during { slider.run() }.answer)
            }
        }
    }

    private static var colours: TerminalPicture.Colours {
        ["truecolor", "24bit"].contains(ProcessInfo.processInfo.environment["COLORTERM"] ?? "") ? .full : .sixteen
    }

    /// The width of the terminal; nil where input or output are none.
    private static var columns: Int? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Int(size.ws_col)
    }

    /// What was typed since it was last asked; empty at the end of input.
    private static func keys() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Array(buffer.prefix(max(0, count)))
        }
    }
}

extension TerminalSlider.Answer {
    fileprivate var answer: SliderAnswer {
        switch self {
        case .place(let x): .point(SliderPoint(x: Double(x)))
        case .newPicture: .another
        case .cancelled: .closed
        }
    }
}

/// Keys one by one and without echo, Ctrl-C among them, and the terminal as it was afterwards.
private enum RawMode {
    static func during<Result>(_ body: () -> Result) -> Result {
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return body() }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        defer { unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return body()
    }
}
#endif
