internal import Pictures
internal import Testing

@Suite("The slider on a terminal")
struct TerminalSliderTests {
    private static let background = Picture(width: 310, height: 155, pixels: [UInt8](repeating: 200, count: 4 * 310 * 155))
    private static let piece = Picture(width: 47, height: 155, pixels: [UInt8](repeating: 90, count: 4 * 47 * 155))

    /// What the slider answers to these pieces of input, and what it wrote.
    private static func run(_ typed: [String], colours: TerminalPicture.Colours = .full) -> (TerminalSlider.Answer, [String]) {
        var rest = typed[...]
        var written: [String] = []
        let slider = TerminalSlider(
            background: background, piece: piece, columns: 80, colours: colours, read: { Array((rest.popFirst() ?? "").utf8) },
            write: { written.append($0) })
        return (slider.run(), written)
    }

    @Test(
        "Keys move the piece and decide",
        arguments: [
            (["\u{1b}[C", "\r"], .place(4)), (["\u{1b}[C\u{1b}[C\u{1b}[D", "\n"], .place(4)), (["\u{1b}[1;2C", "\r"], .place(1)),
            (["\u{1b}OC", ".", ".", ",", "\r"], .place(5)), (["\u{1b}[D", ",", "\r"], .place(0)), (["\u{1b}[5~x\u{1b}[C\r"], .place(4)),
            ([String(repeating: "\u{1b}[C", count: 100), "\r"], .place(263)), (["\u{1b}[C", "r"], .newPicture), (["q"], .cancelled),
            (["\u{3}"], .cancelled), ([], .cancelled), (["\u{1b}[C"], .cancelled),
        ] as [([String], TerminalSlider.Answer)])
    func keys(typed: [String], answer: TerminalSlider.Answer) { #expect(Self.run(typed).0 == answer) }

    @Test(
        "A key that comes in two reads is one key",
        arguments: [
            (["\u{1b}", "[C", "\r"], .place(4)), (["\u{1b}[", "C\r"], .place(4)), (["\u{1b}[1;", "2C", "\r"], .place(1)),
            ([".\u{1b}O", "C\r"], .place(5)), (["\u{1b}", "q"], .cancelled), (["\u{1b}", "\u{1b}[C\r"], .place(4)),
            ([String(repeating: "\u{1b}[C", count: 21) + "\u{1b}", "[C" + String(repeating: "\u{1b}[C", count: 18), "\r"], .place(160)),
        ] as [([String], TerminalSlider.Answer)])
    func splitKeys(typed: [String], answer: TerminalSlider.Answer) { #expect(Self.run(typed).0 == answer) }

    @Test("A picture of 310 by 155 takes 20 lines of 80 half blocks, drawn over themselves")
    func drawing() {
        let written = Self.run(["."]).1
        #expect(written.count == 2)
        #expect(written[0].count { $0 == "\u{2580}" } == 80 * 20)
        #expect(!written[0].hasPrefix("\u{1b}[21A") && written[1].hasPrefix("\u{1b}[21A"))
        #expect(written[0].contains("x = 0 ") && written[1].contains("x = 1 "))
    }

    @Test("Sixteen colours name no other")
    func sixteen() {
        let written = Self.run([], colours: .sixteen).1.joined()
        #expect(!written.contains("38;2") && written.contains("\u{1b}[97;107m\u{2580}"))
    }
}
