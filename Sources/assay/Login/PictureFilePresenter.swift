#if HTTP
import CommandProgram
import Dispatch
import IDaaSFlows
import IDaaSWire
import JWTCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes the two pictures to files, and asks for the position of the piece.
struct PictureFilePresenter: SliderPresenter {
    /// The background's path, if the user chose one and keeps the pictures. Nil: a folder that is removed after the answer.
    let path: String?

    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        if let path { return ask(challenge, path) }
        guard let folder = PictureFolder() else { return failed("cannot make a folder in \(Folder.temporary)") }
        defer { folder.remove() }
        return ask(challenge, folder.path + "/slider.png")
    }

    private func ask(_ challenge: SliderChallenge, _ path: String) -> SliderAnswer {
        let piece = (path.hasSuffix(".png") ? String(path.dropLast(4)) : path) + ".piece.png"
        for (picture, path) in [(challenge.background, path), (challenge.piece, piece)] {
            let number = Self.write(picture, to: path)
            guard number == 0 else { return failed("cannot write \(path): \(CommandFailure.systemReason(number))") }
        }
        Terminal.error.line("The picture is \(path), the piece \(piece).")
        Terminal.error.write("Pixels from the left edge to where the piece belongs (r: another picture, empty: give up): ")
        let answer = readLine()?.withoutOuterBlanks ?? ""
        if answer == "r" { return .another }
        return Double(answer).map { .point(SliderPoint(x: $0)) } ?? .closed
    }

    /// Returns zero, or the system's error number.
    private static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return errno }
        let number = DescriptorBytes.write(bytes, to: descriptor)
        return close(descriptor) == 0 || number != 0 ? number : errno
    }

    private func failed(_ reason: String) -> SliderAnswer {
        Terminal.error.line("Error: \(reason)")
        return .closed
    }
}

/// A private folder for the pictures of one slider. An interrupt removes it too.
private struct PictureFolder {
    let path: String
    private let interrupts: [any DispatchSourceSignal]

    /// Nil if the folder cannot be created.
    init?() {
        let path = "\(Folder.temporary)/assay-slider-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        guard unsafe mkdir(path, 0o700) == 0 else { return nil }
        self.path = path
        interrupts = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Folder.remove(path)
                // exit would hang: another thread waits for input and holds the lock of standard input.
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    func remove() {
        Folder.remove(path)
        for (number, source) in zip([SIGINT, SIGTERM, SIGHUP], interrupts) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
#endif
