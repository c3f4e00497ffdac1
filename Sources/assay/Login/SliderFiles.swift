internal import Foundation

/// The slider where no terminal can show it: the pictures become files, the place is read as a line.
struct SliderFiles {
    let background: [UInt8]
    let piece: [UInt8]
    let folder: URL
    /// The next line that is typed; nil where the input has ended.
    let readLine: () -> String?
    let write: (String) -> Void

    /// Writes `slider-background.png` and `slider-piece.png`, readable by their owner alone, and asks for x until it is a number, `r` or the
    /// end.
    ///
    /// - Throws: what writing a file throws.
    func run() throws -> TerminalSlider.Answer {
        for (name, bytes) in [("slider-background.png", background), ("slider-piece.png", piece)] {
            let file = folder.appending(path: name)
            try Data(bytes).write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            write("\(file.path)\n")
        }
        write("x of the piece's left edge in pixels (r: new picture): ")
        while let line = readLine()?.trimmingCharacters(in: .whitespaces) {
            if line == "r" { return .newPicture }
            if let x = Int(line), x >= 0 { return .place(x) }
            write("a number of pixels, or r: ")
        }
        return .cancelled
    }
}
