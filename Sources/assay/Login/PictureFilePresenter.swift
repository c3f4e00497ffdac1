#if HTTP
import CommandProgram
import Foundation
import IDaaSFlows
import IDaaSWire

/// Writes the two pictures to files, and asks for the position of the piece.
struct PictureFilePresenter: SliderPresenter {
    /// The background's path, if the user chose one and keeps the pictures. Nil: a folder that is removed after the answer.
    let path: String?

    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        if let path { return ask(challenge, path) }
        guard let folder = PictureFolder() else { return failed("cannot make a folder in \(FileManager.default.temporaryDirectory.path)") }
        defer { folder.remove() }
        return ask(challenge, folder.path + "/slider.png")
    }

    private func ask(_ challenge: SliderChallenge, _ path: String) -> SliderAnswer {
        let piece = (path.hasSuffix(".png") ? String(path.dropLast(4)) : path) + ".piece.png"
        do {
            try Data(challenge.background).write(to: URL(fileURLWithPath: path))
            try Data(challenge.piece).write(to: URL(fileURLWithPath: piece))
        } catch {
            return failed("cannot write \(path): \(error.localizedDescription)")
        }
        Terminal.error.line("The picture is \(path), the piece \(piece).")
        Terminal.error.write("Pixels from the left edge to where the piece belongs (r: another picture, empty: give up): ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        if answer == "r" { return .another }
        return Double(answer).map { .point(SliderPoint(x: $0)) } ?? .closed
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
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("assay-slider-\(UUID().uuidString)").path
        let made: Void? = try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        guard made != nil else { return nil }
        self.path = path
        interrupts = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                try? FileManager.default.removeItem(atPath: path)
                // exit would hang: another thread waits for input and holds the lock of standard input.
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        for (number, source) in zip([SIGINT, SIGTERM, SIGHUP], interrupts) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
#endif
