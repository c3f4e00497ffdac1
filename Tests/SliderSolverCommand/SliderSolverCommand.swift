internal import Foundation
internal import SliderSolver

/// Prints the x of a slider: `slider-solver BACKGROUND.png PIECE.png`, or the reply of GET /api/v2/sdk/captcha on standard input.
@main
struct SliderSolverCommand {
    private struct Reply: Decodable {
        let originalImageBase64: Data
        let jigsawImageBase64: Data
    }

    /// The pictures are not a background and a piece.
    private struct NoPiece: Error {}

    static func main() {
        do {
            let (background, piece) = try pictures(CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) })
            guard let x = try SliderSolver.x(background: Array(background), piece: Array(piece)) else { throw NoPiece() }
            print(x)
        } catch {
            FileHandle.standardError.write(Data("slider-solver: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func pictures(_ files: [URL]) throws -> (Data, Data) {
        if files.count == 2 { return (try Data(contentsOf: files[0]), try Data(contentsOf: files[1])) }
        let reply = try JSONDecoder().decode(Reply.self, from: FileHandle.standardInput.readToEnd() ?? Data())
        return (reply.originalImageBase64, reply.jigsawImageBase64)
    }
}
