import FuzzInput
import JWTCore
import JWTSigning

/// Compares batches with single verifications. Each line of an input is a token: of any key, whole or with one changed byte. The kernels
/// judge the signatures of a batch together; libcrypto and another kernel judge single ones.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { input, chance in
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: lines.count)
        switch chance.number(below: 6) {
        case 0: lines.append(lines[place])
        case 1: lines.remove(at: place)
        case 2: lines.swapAt(place, chance.number(below: lines.count))
        case 3 where !lines[place].isEmpty: lines[place][0] = UInt8(chance.number(below: 256))
        case 4 where lines[place].count > 2: lines[place][1] = UInt8(chance.number(below: 256))
        default:
            let head = lines[place].prefix(3)
            lines[place] = head + JSONMutator.claims.mutate(Array(lines[place].dropFirst(3)), limit: room, &chance)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}

let signers = [Keys.es256, Keys.ed25519, Keys.rs256, Keys.es384, Keys.hs256]
let keys = Fuzzer.lasting {
    // The twin has the same name as an ES256 key, so that a token with it has two candidates.
    let twin = Keys.jwk(Keys.es256).replacing(#""kid":"es""#, with: #""kid":"ed""#)
    let keys = Keys.set(signers.dropLast().map(Keys.jwk) + [twin])
    keys.prepare()
    return keys
}
let verifiers = [
    TokenVerifier(keys: keys, policy: ClaimsPolicy()),
    TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1")),
    TokenVerifier(keys: Keys.set([Keys.hs256JWK]), policy: symmetric),
]

var symmetric: ClaimsPolicy {
    var policy = ClaimsPolicy()
    policy.algorithms = .symmetric
    return policy
}

Fuzzer.run { input in
    var reader = InputReader(input)
    let verifier = verifiers[reader.number(below: verifiers.count)], now: NumericDate = 1_700_000_100
    var tokens: [[UInt8]] = []
    while !reader.isAtEnd, tokens.count < 130 { tokens.append(token(reader.part(until: UInt8(ascii: "\n")))) }
    let batch = verifier.verify(batch: tokens, now: now).map { Verdict($0) }
    precondition(batch.count == tokens.count, "a token without a verdict")
    precondition(verifier.verify(reused(tokens), now: now).map { Verdict($0) } == batch, "a reused batch differs")
    for (token, verdict) in zip(tokens, batch) {
        let single = Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: now) }
        precondition(single == verdict, "a batch differs from a single verification")
    }
}

/// The tokens in a batch that has had others, as texts where they are.
func reused(_ tokens: [[UInt8]]) -> TokenBatch {
    var batch = TokenBatch()
    batch.append("a.b.c")
    batch.removeAll()
    for token in tokens {
        if let text = String(validating: token, as: UTF8.self) { batch.append(text) } else { batch.append(token) }
    }
    return batch
}

/// The token of a line: its key, the place of a changed byte, its header and its payload.
func token(_ line: [UInt8]) -> [UInt8] {
    var reader = InputReader(line)
    let choice = reader.byte(), place = Int(reader.byte()), change = reader.byte()
    guard choice < 0xf0 else { return Array(reader.rest) }
    let key = signers[Int(choice) % signers.count]
    let keyID = choice & 0x80 == 0 ? #","kid":"\#(key.keyID ?? "")""# : ""
    let header = Array(#"{"alg":"\#(key.algorithm.name)"\#(keyID)}"#.utf8)
    var token = Keys.token(key, header: header, payload: Array(reader.rest))
    // From the end, where the signature is.
    if place > 0, place <= token.count { token[token.count - place] ^= change & 0x1f }
    return token
}
