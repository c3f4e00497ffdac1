import FuzzInput
import JWTCore

/// Compares a verifier with a cache of verified tokens to one without, over a history: tokens come again, time passes, the cache is small,
/// and its keys are replaced.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { input, chance in
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        guard lines.count == 2, chance.number(below: 3) == 0 else { return JSONMutator.bytes(input, 0..<input.count) }
        return lines[0] + [UInt8(ascii: "\n")] + JSONMutator.claims.mutate(lines[1], limit: room - lines[0].count - 1, &chance)
    }
}

/// The history is the first line: one byte for each event. The claims of the first token are the rest.
Fuzzer.run { input in
    var reader = InputReader(input)
    let setting = reader.byte(), events = reader.part(until: UInt8(ascii: "\n")).prefix(200)
    let tokens = History.tokens(claims: Array(reader.rest))
    let source = ReplacedKeys()
    var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    policy.algorithms = [.hs256]
    let plain = TokenVerifier(keys: source, policy: policy)
    let cache = VerifiedTokenCache(
        budget: setting & 1 == 0 ? 1 << 13 : 1 << 20, retention: setting & 2 == 0 ? .tokens : .digests,
        maximumAge: .seconds(setting & 4 == 0 ? 1 : 300), shards: setting & 8 == 0 ? 1 : 4)
    let cached = plain.caching(in: cache)
    var now: Int64 = 1_700_000_000
    for event in events {
        switch event {
        case 0xf0...0xf7: now += 1 << Int64(event - 0xf0) * 2
        case 0xf8...0xfb: source.replace()
        case 0xfc: cache.removeAll()
        case 0xfd: now -= 30
        default:
            let token = tokens[Int(event) % tokens.count], date = NumericDate(seconds: now)
            let expected = Verdict { () throws(VerificationError) in try plain.verify(token.span, now: date) }
            let found = Verdict { () throws(VerificationError) in try cached.verify(token.span, now: date) }
            precondition(found == expected, "the cache differs")
        }
    }
    let statistics = cache.statistics
    precondition(statistics.bytes <= cache.budget, "the cache is beyond its budget")
}
