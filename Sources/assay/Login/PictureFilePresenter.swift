#if HTTP
import Foundation
import IDaaSFlows

/// Writes the two pictures to files, and reads where the piece belongs.
struct PictureFilePresenter: SliderPresenter {
    /// Of the background; the piece is put beside it, `.piece.png`.
    let path: String

    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        let piece = (path.hasSuffix(".png") ? String(path.dropLast(4)) : path) + ".piece.png"
        do {
            try Data(challenge.background).write(to: URL(fileURLWithPath: path))
            try Data(challenge.piece).write(to: URL(fileURLWithPath: piece))
        } catch {
            Terminal.error.line("cannot write \(path): \(error.localizedDescription)")
            return .closed
        }
        if challenge.ordinal > 1 { Terminal.error.line("That was not it. A new picture:") }
        Terminal.error.line("\(path) is the picture, \(piece) the piece.")
        Terminal.error.write("Pixels from the left edge to where the piece belongs (r: another picture, empty: give up): ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        if answer == "r" { return .another }
        return Double(answer).map { .point(SliderPoint(x: $0)) } ?? .closed
    }
}
#endif
