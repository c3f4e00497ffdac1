import CAssayInterface
import FuzzInput

/// Keys that are fetched through the C interface, their clock, and a verifier that uses them.
final class FetchHistory: History {
    private let clock = HistoryClock()
    private var keys: OpaquePointer?
    private var verifier: OpaquePointer?
    private var fetch: OpaquePointer?
    private var generation: UInt64 = 0
    private static let issuer = "https://idp.example"
    private static let now = 1_700_000_100.0

    init(setting: UInt8) {
        var options = assay_refresh_options()
        require(assay_refresh_options_init(&options, MemoryLayout.size(ofValue: options), UInt32(setting & 1)))
        (options.seed, options.context) = (UInt64(setting) + 1, Unmanaged.passUnretained(clock).toOpaque())
        options.clock = { Unmanaged<HistoryClock>.fromOpaque($0!).takeUnretainedValue().nanoseconds }
        let isIssuer = setting & 2 == 0
        require(
            isIssuer
                ? assay_keys_new_issuer(&keys, Self.issuer, Self.issuer.utf8.count, &options)
                : assay_keys_new_url(&keys, Self.issuer + "/keys", Self.issuer.utf8.count + 5, &options))
        var policy: OpaquePointer?
        require(assay_policy_new(&policy))
        var issuer = assay_issuer(policy: policy, keys: keys)
        require(assay_verifier_new(&verifier, &issuer, 1, nil))
        assay_policy_free(policy)
    }

    deinit {
        assay_fetch_free(fetch)
        assay_verifier_free(verifier)
        assay_keys_free(keys)
    }

    func apply(_ event: [UInt8]) {
        var reader = InputReader(event)
        switch reader.number(below: 8) {
        case 0: clock.nanoseconds += Int64(reader.byte()) * 1_000_000_000
        case 1: clock.nanoseconds += Int64(reader.byte()) * 60_000_000_000
        case 2: request()
        case 3: answer(Answer(&reader))
        case 4: if fetch != nil { note(assay_keys_fail(keys, fetch, UInt32(reader.byte() % 13))) }
        case 5: _ = assay_keys_refresh(keys)
        case 6:
            assay_fetch_free(fetch)
            fetch = nil
        default: _ = verdict(keyID: reader.byte())
        }
    }

    /// Asks for a request, with its fields, unless one is out.
    private func request() {
        guard fetch == nil, assay_keys_request(&fetch, keys) == ASSAY_OK else { return }
        precondition(String(cString: assay_fetch_url(fetch)).hasPrefix("http"), "a request without an address")
        var name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?, index = 0
        while assay_fetch_field(&name, &value, fetch, index) == ASSAY_OK {
            guard let name, let value else { preconditionFailure("a field without text") }
            precondition(String(cString: name).utf8.count > 1 && String(cString: value).utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
            index += 1
        }
        precondition(index >= 1, "a request without Accept")
    }

    private func answer(_ answer: Answer) {
        if fetch == nil { request() }
        guard fetch != nil else { return }
        note(answer.install(keys, fetch))
    }

    private func note(_ code: assay_code) {
        precondition([0, 1, 7, 8, 9].contains(code), "a code that no answer has")
        guard code != ASSAY_INVALID_ARGUMENT else { return }
        assay_fetch_free(fetch)
        fetch = nil
    }

    /// A token for each key id; every fourth names the key that may be there.
    private static let tokens = (0..<256).map { number in
        let header = #"{"alg":"ES256","kid":"\#(number % 4 == 0 ? "es" : "other-\(number)")"}"#
        return Keys.token(Keys.es256, header: Array(header.utf8), payload: Array(#"{"exp":1700003600}"#.utf8))
    }

    private func verdict(keyID: UInt8) -> assay_code {
        Self.tokens[Int(keyID)].withUnsafeBytes {
            assay_verify(nil, verifier, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Self.now)
        }
    }

    /// What holds at every moment.
    func check() {
        var state = assay_keys_state()
        state.size = MemoryLayout.size(ofValue: state)
        require(assay_keys_status(&state, keys))
        precondition(state.health == ASSAY_HEALTH_UNAVAILABLE || state.health == ASSAY_HEALTH_FRESH || state.health == ASSAY_HEALTH_STALE)
        precondition(state.generation >= generation, "the generation went back")
        generation = state.generation
        let isAvailable = state.health != ASSAY_HEALTH_UNAVAILABLE
        let isUsed = state.key_count > 0 && state.used_for >= 0 && state.used_for >= state.fresh_for
        precondition(!isAvailable || isUsed, "a state that cannot be")
        precondition(assay_keys_next_due(keys) >= 0, "no fetch is ever due")
        if let failure = state.last_failure { ReachedCodes.note("refresh." + String(cString: failure)) }
        let code = verdict(keyID: 0)
        precondition(isAvailable || code == ASSAY_KEYS_UNAVAILABLE, "a verdict without keys")
    }

    private func require(_ code: assay_code) { precondition(code == ASSAY_OK, "the C interface refuses its fuzzer's setting") }
}

/// The elapsed time of a history.
final class HistoryClock {
    var nanoseconds: Int64 = 1_000_000_000_000
}
