internal import Secrets
internal import Testing

struct RandomnessTests {
    /// Returns the bytes of a list, in sequence over the calls.
    private static func listed(_ bytes: [UInt8]) -> Randomness {
        nonisolated(unsafe) var rest = bytes[...]
        return Randomness { count in
            defer { unsafe rest = rest.dropFirst(count) }
            return unsafe Array(rest.prefix(count))
        }
    }

    @Test(arguments: [0, 1, 16, 32, 4_096])
    func theSystemsBytesAreAsManyAsAskedForAndNeverTheSame(count: Int) {
        let first = Randomness.system.bytes(count)
        #expect(first.count == count)
        #expect(count < 16 || first != Randomness.system.bytes(count))
    }

    @Test(arguments: [1, 2, 3, 6, 10, 200, 1_000] as [UInt32])
    func aNumberIsBelowItsBoundAndEveryNumberComes(bound: UInt32) {
        var seen: Set<UInt32> = []
        for _ in 0..<bound * 30 { seen.insert(Randomness.system.integer(below: bound)) }
        #expect(seen == Set(0..<bound))
    }

    @Test
    func wordsThatWouldFavourSmallNumbersAreDrawnAgain() {
        // 2^32 is 4 modulo 7, so the four lowest words are rejected to avoid bias.
        let randomness = Self.listed([0, 0, 0, 3, 0, 0, 0, 4])
        #expect(randomness.integer(below: 7) == 4)
    }

    @Test
    func bytesThatWouldFavourSomeCharactersAreDrawnAgain() {
        // 248 is the largest multiple of 62 in a byte.
        let randomness = Self.listed([248, 255, 0, 61, 62, 247])
        #expect(randomness.token(characters: 4, alphabet: .base62) == "0z0z")
    }

    @Test(
        arguments: [
            (.base62, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), (.hexadecimal, "0123456789abcdef"),
            (.decimal, "0123456789"),
        ] as [(Randomness.Alphabet, String)])
    func aTokenHasItsLengthAndItsAlphabetsCharactersAlone(alphabet: Randomness.Alphabet, characters: String) {
        let token = Randomness.system.token(characters: 2_000, alphabet: alphabet)
        #expect(token.count == 2_000)
        #expect(Set(token) == Set(characters))
    }
}

struct Base62Tests {
    @Test(
        arguments: [
            ([], 3, "000"), ([0], 1, "0"), ([61], 2, "0z"), ([62], 2, "10"), ([255], 2, "47"), ([1, 0, 0], 4, "0H32"),
            ([255, 255, 255, 255], 6, "4gfFC3"), ([255, 255, 255, 255], 2, "C3"),
        ] as [([UInt8], Int, String)])
    func aNumberInBase62(number: [UInt8], characters: Int, text: String) {
        #expect(Base62.encode(number, characters: characters) == text)
    }
}
