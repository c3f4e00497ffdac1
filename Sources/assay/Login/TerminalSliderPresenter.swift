#if HTTP
import CommandProgram
import IDaaSFlows
import IDaaSWire
import JWTCore
import Pictures

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Draws the slider in the terminal. If the terminal cannot show it, prints the reason and writes the pictures to files.
struct TerminalSliderPresenter: SliderPresenter {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        let terminal = Terminal.error
        do {
            let screen = try TerminalScreen()
            let background = try PNGReader.picture(challenge.background), piece = try PNGReader.picture(challenge.piece)
            // Reading keys blocks the thread, so it does not run on a shared thread of the concurrency pool.
            return await withCheckedContinuation { continuation in
                let isStarted = BackgroundThread.start {
                    let slider = TerminalSlider(
                        background: background, piece: piece, columns: screen.columns, rows: screen.rows, colours: screen.colours,
                        read: Self.keys, write: terminal.write)
                    continuation.resume(returning: RawMode.during { slider.run() }.answer)
                }
                if !isStarted { continuation.resume(returning: .closed) }
            }
        } catch {
            let reason = (error as? TerminalScreen.Unsuitable)?.reason ?? "the pictures cannot be read (\(error))"
            terminal.line("The slider cannot be drawn here: \(reason). The pictures are files instead; --slider png:FILE sets their path.")
            return await PictureFilePresenter(path: nil).answer(to: challenge)
        }
    }

    /// The keys typed since the last call; empty at the end of input.
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

/// Reads single keys without echo, Ctrl-C included, and restores the terminal's settings afterwards.
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
