internal import Foundation
internal import Pictures
internal import Testing

struct TerminalSliderTests {
    private static let background = Picture(width: 310, height: 155, pixels: [UInt8](repeating: 200, count: 4 * 310 * 155))
    private static let piece = Picture(width: 47, height: 155, pixels: [UInt8](repeating: 90, count: 4 * 47 * 155))

    /// What the slider answers to these pieces of input, and what it wrote.
    private static func run(
        _ typed: [String], background: Picture = background, size: (columns: Int, rows: Int) = (80, 24),
        colours: TerminalColours = .trueColour
    ) -> (TerminalSlider.Answer, [String]) {
        var rest = typed[...]
        var written: [String] = []
        let slider = TerminalSlider(
            background: background, piece: piece, columns: size.columns, rows: size.rows, colours: colours,
            read: { Array((rest.popFirst() ?? "").utf8) }, write: { written.append($0) })
        return (slider.run(), written)
    }

    @Test(
        arguments: [
            (["\u{1b}[C", "\r"], .place(4)), (["\u{1b}[C\u{1b}[C\u{1b}[D", "\n"], .place(4)), (["\u{1b}[1;2C", "\r"], .place(1)),
            (["\u{1b}OC", ".", ".", ",", "\r"], .place(5)), (["\u{1b}[D", ",", "\r"], .place(0)), (["\u{1b}[5~x\u{1b}[C\r"], .place(4)),
            ([String(repeating: "\u{1b}[C", count: 100), "\r"], .place(263)), (["\u{1b}[C", "r"], .newPicture), (["q"], .cancelled),
            (["\u{3}"], .cancelled), ([], .cancelled), (["\u{1b}[C"], .cancelled),
        ] as [([String], TerminalSlider.Answer)])
    func keysMoveThePieceAndDecide(typed: [String], answer: TerminalSlider.Answer) { #expect(Self.run(typed).0 == answer) }

    @Test(
        arguments: [
            (["\u{1b}", "[C", "\r"], .place(4)), (["\u{1b}[", "C\r"], .place(4)), (["\u{1b}[1;", "2C", "\r"], .place(1)),
            ([".\u{1b}O", "C\r"], .place(5)), (["\u{1b}", "q"], .cancelled), (["\u{1b}", "\u{1b}[C\r"], .place(4)),
            ([String(repeating: "\u{1b}[C", count: 21) + "\u{1b}", "[C" + String(repeating: "\u{1b}[C", count: 18), "\r"], .place(160)),
        ] as [([String], TerminalSlider.Answer)])
    func aKeyThatComesInTwoReadsIsOneKey(typed: [String], answer: TerminalSlider.Answer) { #expect(Self.run(typed).0 == answer) }

    @Test(
        arguments: [((80, 24), 80, 21), ((155, 60), 155, 38), ((310, 100), 310, 77), ((500, 100), 310, 77), ((200, 30), 200, 27)]
            as [((Int, Int), Int, Int)])
    func drawingFillsTheTerminalOverItself(size: (Int, Int), columns: Int, lines: Int) {
        let written = Self.run(["."], size: size).1
        #expect(written.count == 2)
        #expect(written[0].count { $0 == "\u{2580}" } == columns * lines)
        #expect(!written[0].hasPrefix("\u{1b}[\(lines + 1)A") && written[1].hasPrefix("\u{1b}[\(lines + 1)A"))
        #expect(written[0].contains("x = 0 ") && written[1].contains("x = 1 "))
    }

    /// The line that tells why the picture is new stays in sight, and the cursor's line is free.
    @Test(arguments: [(60, 16), (80, 24), (310, 40)])
    func drawingKeepsToTheSizeOfTheTerminal(columns: Int, rows: Int) throws {
        #expect(TerminalSlider.fits(columns: columns, rows: rows))
        let written = Self.run([String(repeating: "\u{1b}[C", count: 70)], size: (columns, rows)).1
        for frame in written {
            let lines = frame.replacing(try Regex("\u{1b}\\[[0-9;]*[A-Za-z]|\r"), with: "").split(separator: "\n")
            #expect(lines.count <= rows - 2 && lines.allSatisfy { $0.count < columns || !$0.contains("x = ") && $0.count == columns })
        }
    }

    /// 80 columns have room for 160 of 310 pixels: the last ones come into view with the piece.
    @Test func smallTerminalShowsThePartAroundThePiece() {
        var pixels = [UInt8](repeating: 200, count: 4 * 310 * 155)
        for y in 0..<155 { pixels[4 * (310 * y + 308)] = 0 }
        let background = Picture(width: 310, height: 155, pixels: pixels)
        let written = Self.run([String(repeating: "\u{1b}[C", count: 70)], background: background).1
        // One of two pixels is without red, under the translucent piece.
        #expect(!written[0].contains("38;2;96;161;161"))
        #expect(written[1].contains("38;2;96;161;161"))
    }

    @Test(
        arguments: [
            (.trueColour, "\u{1b}[38;2;95;135;215;48;2;95;135;215m\u{2580}"), (.palette256, "\u{1b}[38;5;68;48;5;68m\u{2580}"),
        ] as [(TerminalColours, String)])
    func coloursAreTheNearestOnes(colours: TerminalColours, block: String) {
        let pixels = (0..<310 * 155).flatMap { _ in [95, 135, 215, 255] as [UInt8] }
        let written = Self.run([], background: Picture(width: 310, height: 155, pixels: pixels), colours: colours).1
        #expect(written[0].contains(block))
    }

    @Test func greysOf256ColoursAreFinerThanTheCube() {
        let written = Self.run([], background: Self.grey(118), colours: .palette256).1
        #expect(written[0].contains("\u{1b}[38;5;243;48;5;243m"))
    }

    /// 178 is half way between the greys 127 and 229.
    @Test func sixteenColoursAreDitheredAndNameNoOther() {
        let written = Self.run([], background: Self.grey(178), colours: .palette16).1.joined()
        #expect(!written.contains("38;") && !written.contains("48;"))
        let (dark, light) = (written.components(separatedBy: "\u{1b}[90;").count, written.components(separatedBy: "\u{1b}[37;").count)
        #expect(dark > 400 && light > 400, "\(dark) and \(light)")
    }

    private static func grey(_ value: UInt8) -> Picture {
        Picture(width: 310, height: 155, pixels: [UInt8](repeating: value, count: 4 * 310 * 155))
    }

    @Test(
        arguments: [
            ("truecolor", "xterm", .trueColour), ("24bit", nil, .trueColour), (nil, "xterm-direct", .trueColour),
            (nil, "xterm-256color", .palette256), ("", "screen-256color", .palette256), (nil, "linux", .palette16), (nil, nil, .palette16),
        ] as [(String?, String?, TerminalColours)])
    func theEnvironmentTellsTheColours(colorterm: String?, term: String?, colours: TerminalColours) {
        #expect(TerminalColours(colorterm: colorterm, term: term) == colours)
    }

    @Test(arguments: [((80, 24), true), ((60, 16), true), ((59, 24), false), ((80, 15), false)] as [((Int, Int), Bool)])
    func aSmallTerminalDoesNotFit(size: (Int, Int), fits: Bool) {
        #expect(TerminalSlider.fits(columns: size.0, rows: size.1) == fits)
    }
}
