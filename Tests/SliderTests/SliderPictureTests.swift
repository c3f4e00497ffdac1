#if IDaaS
internal import IDaaSServer
internal import Pictures
internal import Secrets
internal import SliderSolver
internal import Testing

@Suite("Slider pictures")
struct SliderPictureTests {
    private static let challenges = (0..<300).map { SliderPicture.draw(randomness: .seeded($0)) }

    @Test("The solver finds more than 95 % of the places within 5 pixels, from the pictures alone")
    func solved() throws {
        let hits = try Self.challenges.count { challenge in
            let x = try SliderSolver.x(background: challenge.background, piece: challenge.piece)
            return abs(try #require(x) - challenge.x) <= 5
        }
        #expect(hits * 100 > 95 * Self.challenges.count, "\(hits) of \(Self.challenges.count)")
    }

    @Test("A shortcut finds less than 20 %", arguments: Shortcut.allCases)
    func unsolved(shortcut: Shortcut) throws {
        let hits = try Self.challenges.count { challenge in
            let (background, piece) = (try PNGReader.picture(challenge.background), try PNGReader.picture(challenge.piece))
            return abs(shortcut.guess(background, piece) - challenge.x) <= 5
        }
        #expect(hits * 5 < Self.challenges.count, "\(hits) of \(Self.challenges.count)")
    }

    @Test("Both pictures have the chunks they need and no other")
    func chunks() throws {
        for challenge in Self.challenges.prefix(50) {
            #expect(try PNGReader.chunks(challenge.background).map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
            #expect(try PNGReader.chunks(challenge.piece).map(\.type) == ["IHDR", "IDAT", "IEND"])
        }
    }

    @Test("Sizes are AJ-Captcha's, the background has at least 64 colours")
    func sizes() throws {
        for challenge in Self.challenges.prefix(50) {
            let (background, piece) = (try PNGReader.picture(challenge.background), try PNGReader.picture(challenge.piece))
            #expect((background.width, background.height, piece.width, piece.height) == (310, 155, 47, 155))
            #expect(Set((0..<155).flatMap { y in (0..<310).map { background[$0, y] } }).count >= 64)
            #expect(100..<263 ~= challenge.x && challenge.y == 5)
        }
    }

    @Test("The piece is within one square of 47 pixels, mostly opaque there, with an edge of partial opacity")
    func piece() throws {
        for challenge in Self.challenges.prefix(50) {
            let piece = try PNGReader.picture(challenge.piece)
            let opacities = (0..<155).map { y in (0..<47).map { piece[$0, y].opacity } }
            let rows = opacities.indices.filter { opacities[$0].contains { $0 > 0 } }
            #expect(try #require(rows.last) - #require(rows.first) < 47)
            let opaque = opacities.joined().count { $0 == 255 }
            let partial = opacities.joined().count { $0 > 0 && $0 < 255 }
            #expect(opaque > 350 && partial > 10 && partial < 400, "\(opaque) and \(partial)")
        }
    }

    @Test("Every place comes, none more often than chance lets it")
    func places() {
        let counts = Self.challenges.reduce(into: [Int](repeating: 0, count: 4)) { counts, challenge in
            counts[(challenge.x - 100) * 4 / 163] += 1
        }
        #expect(counts.allSatisfy { $0 > 45 && $0 < 105 }, "\(counts)")
    }

    @Test("The lengths of the files do not go with the place")
    func lengths() {
        let places = Self.challenges.map { Double($0.x) }
        for lengths in [Self.challenges.map(\.background.count), Self.challenges.map(\.piece.count)] {
            #expect(abs(Self.correlation(places, lengths.map(Double.init))) < 0.2)
        }
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
        let product = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
        let squares = a.reduce(0) { $0 + ($1 - meanA) * ($1 - meanA) } * b.reduce(0) { $0 + ($1 - meanB) * ($1 - meanB) }
        return product / squares.squareRoot()
    }

    @Test("Two challenges share neither picture")
    func fresh() {
        #expect(Set(Self.challenges.map(\.background)).count == Self.challenges.count)
        #expect(Set(Self.challenges.map(\.piece)).count == Self.challenges.count)
    }
}
#endif
