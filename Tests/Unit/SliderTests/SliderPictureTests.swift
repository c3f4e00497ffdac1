internal import AssayTesting
internal import IDaaSServer
internal import Pictures
internal import Secrets
internal import Testing

struct SliderPictureTests {
    private static let drawn = Result { try (0..<300).map { try SliderPicture.draw(randomness: .seeded($0)) } }
    private let challenges: [SliderPicture]

    init() throws { challenges = try Self.drawn.get() }

    /// The solver finds more than 95 % of the places within 5 pixels, from only the pictures.
    @Test
    func theSolverFindsNineteenOfTwentyPlaces() throws {
        let hits = try challenges.count { challenge in
            let x = try SliderSolver.x(background: challenge.background, piece: challenge.piece)
            return abs(try #require(x) - challenge.x) <= 5
        }
        #expect(hits * 100 > 95 * challenges.count, "\(hits) of \(challenges.count)")
    }

    @Test(arguments: Shortcut.allCases)
    func aShortcutFindsLessThan20(shortcut: Shortcut) throws {
        let hits = try challenges.count { challenge in
            let (background, piece) = (try PNGReader.picture(challenge.background), try PNGReader.picture(challenge.piece))
            return abs(shortcut.guess(background, piece) - challenge.x) <= 5
        }
        #expect(hits * 5 < challenges.count, "\(hits) of \(challenges.count)")
    }

    /// The background is drawn before the piece's hole is chosen, so it cannot reveal the hole.
    @Test func theBackgroundIsTheSameWhicheverHoleIsRight() throws {
        for seed in 0..<10 {
            let challenges = try (0..<8).map { hole in try SliderPicture.draw(randomness: .seeded(seed)) { _ in hole } }
            #expect(Set(challenges.map(\.background)).count == 1)
            #expect(Set(challenges.map(\.piece)).count == 8 && Set(challenges.map(\.x)).count == 8)
        }
    }

    @Test
    func bothPicturesHaveTheChunksTheyNeedAndNoOther() throws {
        for challenge in challenges.prefix(50) {
            #expect(PNGChunk.all(in: challenge.background).map(\.type) == ["IHDR", "sRGB", "PLTE", "IDAT", "IEND"])
            #expect(PNGChunk.all(in: challenge.piece).map(\.type) == ["IHDR", "sRGB", "IDAT", "IEND"])
        }
    }

    @Test
    func sizesAreAJCaptchasTheBackgroundHasAtLeast64Colours() throws {
        for challenge in challenges.prefix(50) {
            let (background, piece) = (try PNGReader.picture(challenge.background), try PNGReader.picture(challenge.piece))
            #expect((background.width, background.height, piece.width, piece.height) == (310, 155, 47, 155))
            #expect(Set((0..<155).flatMap { y in (0..<310).map { background[$0, y] } }).count >= 64)
            #expect(100..<263 ~= challenge.x && challenge.y == 5)
        }
    }

    /// The piece is within one square of 47 pixels, mostly opaque there, with an edge of partial opacity.
    @Test
    func aPieceFitsIntoASquareOf47Pixels() throws {
        for challenge in challenges.prefix(50) {
            let piece = try PNGReader.picture(challenge.piece)
            let opacities = (0..<155).map { y in (0..<47).map { piece[$0, y].opacity } }
            let rows = opacities.indices.filter { opacities[$0].contains { $0 > 0 } }
            #expect(try #require(rows.last) - #require(rows.first) < 47)
            let opaque = opacities.joined().count { $0 == 255 }
            let partial = opacities.joined().count { $0 > 0 && $0 < 255 }
            #expect(opaque > 200 && partial > 10 && partial < 400, "\(opaque) and \(partial)")
        }
    }

    @Test
    func everyPlaceComesNoneMoreOftenThanChanceLetsIt() {
        let counts = challenges.reduce(into: [Int](repeating: 0, count: 4)) { counts, challenge in
            counts[(challenge.x - 100) * 4 / 163] += 1
        }
        #expect(counts.allSatisfy { $0 > 45 && $0 < 105 }, "\(counts)")
    }

    @Test
    func theLengthsOfTheFilesDoNotGoWithThePlace() {
        let places = challenges.map { Double($0.x) }
        for lengths in [challenges.map(\.background.count), challenges.map(\.piece.count)] {
            #expect(abs(Self.correlation(places, lengths.map(Double.init))) < 0.2)
        }
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
        let product = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
        let squares = a.reduce(0) { $0 + ($1 - meanA) * ($1 - meanA) } * b.reduce(0) { $0 + ($1 - meanB) * ($1 - meanB) }
        return product / squares.squareRoot()
    }

    @Test
    func twoChallengesShareNeitherPicture() {
        #expect(Set(challenges.map(\.background)).count == challenges.count)
        #expect(Set(challenges.map(\.piece)).count == challenges.count)
    }
}
