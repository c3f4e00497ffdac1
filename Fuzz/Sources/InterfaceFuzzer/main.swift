import CAssayInterface
import FuzzInput
import JWTCore

/// Compares the C interface with the Swift library: the same verdict, offset and texts for the same token, the same claims, and the same
/// verdict in every way to verify. Memory of a result and of a token has exactly the stated size, so that AddressSanitizer sees a byte too
/// many.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 3, by: .claims)
}

let pairs = Fuzzer.lasting { VerifierPair.all }
let others = Fuzzer.lasting { OtherCalls() }
let now: NumericDate = 1_700_000_100

Fuzzer.run { input in
    var reader = InputReader(input)
    let pair = pairs[reader.number(below: pairs.count)], kind = reader.byte(), room = Int(reader.byte())
    let token = signed(Array(reader.rest), kind)
    let sizes = [Int(ASSAY_RESULT_SIZE), assay_result_size(token.count), 256 + room * 16]
    let result = Result(size: sizes[Int(kind >> 6) % 3])
    let expected = Outcome(pair.swift, token)
    let code = token.withChars { assay_verify(result.handle, pair.c, $0, $1, Double(now.seconds)) }
    precondition(code == assay_result_code(result.handle), "a result with another code")
    if code == ASSAY_RESULT_TOO_SMALL {
        precondition(expected.error == nil && assay_result_needed(result.handle) > result.size, "too small, without need")
        return result.checkReset()
    }
    result.compare(expected, pair)
    precondition(token.withChars { assay_verify(nil, pair.c, $0, $1, Double(now.seconds)) } == code, "the verdict alone differs")
    others.check(pair, token, code)
    if code == ASSAY_OK { ClaimsComparison(result.handle).compare(expected) }
    checkLookup(result.handle, Array(reader.rest))
    result.checkReset()
}

/// A token with a payload, or with a header and a payload, or any text.
func signed(_ rest: [UInt8], _ kind: UInt8) -> [UInt8] {
    switch kind % 8 {
    case 0: return rest
    case 1:
        let header = rest.prefix { $0 != UInt8(ascii: "\n") }
        return Keys.token(Keys.hs256, header: Array(header), payload: Array(rest.dropFirst(header.count + 1)))
    case 2: return Array(Keys.token(Keys.hs256, header: Array(#"{"alg":"HS256"}"#.utf8), payload: rest).dropLast())
    default: return Keys.token(Keys.hs256, header: Array(#"{"alg":"HS256","kid":"hs"}"#.utf8), payload: rest)
    }
}

/// Any text as a name and as a pointer into the claims.
func checkLookup(_ result: OpaquePointer?, _ text: [UInt8]) {
    let text = Array(text.prefix(32))
    var value = assay_value()
    for code in [
        text.withChars { assay_result_claim(&value, result, $0, $1) }, text.withChars { assay_result_claim_at(&value, result, $0, $1) },
        (Array("/".utf8) + text).withChars { assay_result_claim_at(&value, result, $0, $1) },
        assay_result_claim_at(&value, result, "/x/0", 4), assay_result_claim_at(&value, result, "/x/01", 5),
        assay_result_claim_at(&value, result, "/x/7/a", 6), assay_result_claim_at(&value, nil, "/x", 2),
    ] {
        precondition([0, 1, 3, 4].contains(code), "a code that no lookup has")
    }
}
