import FuzzInput
import IDaaSFlows
import IDaaSWire

/// Fuzzes what a tenant answers to the flows: the first byte of an input is the call, each part after it, up to a byte 0xff, is an answer.
/// Whatever comes, the call ends with an outcome, and no line of the log holds a token.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { input, chance in
        var parts = input.split(separator: 0xff, omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: parts.count)
        switch chance.number(below: 6) {
        case 0: parts.append(parts[place])
        case 1: parts[0] = [UInt8(chance.number(below: 64))] + parts[0].dropFirst()
        case 2 where parts[place].count > 1: parts[place][0] = UInt8(chance.number(below: 256))
        default: parts[place] = parts[place].prefix(1) + answers.mutate(Array(parts[place].dropFirst()), limit: room, &chance)
        }
        return Array(parts.joined(separator: [0xff]))
    }
}

let answers = JSONMutator(
    names: [
        "error_code", "error_msg", "details", "status", "id_token", "session_token", "expire", "id_token_expire", "timestamp", "token",
        "captcha_token", "originalImageBase64", "jigsawImageBase64", "state_token", "data", "sessions", "id", "public_key", "interval",
        "phoneAreaCodeDefinitions", "areaCode", "countryCode", "mobileRegex", "preferredAreaCode", "random", "client_id",
    ],
    values: [
        #"" SOCIAL_BIND""#, #""USER_REGISTER""#, #""SUCCESS""#, #""COMMON.1004""#, #"{"a":[]}"#, #""{\"a\":1}""#, #""iVBORw0KGgo=""#,
        "1700000100000", #""1700000100000""#, #""[1-9][0-9]{4,10}""#, #""(a|b)*{3}""#, #"["VERIFY_PHONE"]"#,
    ])

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let call = reader.byte(), argument = String(decoding: reader.part(until: 0xff), as: UTF8.self)
    var replies: [[UInt8]] = []
    while !reader.isAtEnd, replies.count < 8 { replies.append(reader.part(until: 0xff)) }
    let tenant = FuzzedTenant(replies)
    let outcome = Waiting.value { await FlowCall(tenant, setting: call >> 5)?.run(Int(call & 0x1f), argument) }
    if let outcome { check(outcome) }
    for line in tenant.log {
        precondition(!line.contains(FuzzedTenant.sessionToken) && !line.contains(FuzzedTenant.idToken), "a token in the log")
    }
}

func check(_ outcome: any FlowOutcome) {
    precondition(!outcome.legacyCode.isEmpty, "an outcome without a code")
    guard let failure = outcome.failure else { return }
    precondition(!failure.description.isEmpty && !failure.text(in: .chinese).isEmpty, "a failure without a text")
    _ = (failure.isRetryable, failure.retryAfter, failure.isOffline)
    if case .token(let error) = failure.reason { ReachedCodes.note(error) }
}
