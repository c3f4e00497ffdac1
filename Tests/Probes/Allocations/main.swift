// Counts the Swift allocations of one verification, for accepted and refused tokens, and of one look-up in a status list. A separate
// program, because the counter replaces malloc for the whole process and must be installed before libcrypto first allocates.

import CCounts
import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Program
import StatusListCache
import Synchronization
import TokenStatus

guard ccounts_count_allocations() == 1, ccounts_ignore_libcrypto() == 1 else {
    print("allocation counts skipped: this build has an allocator of its own")
    print("0 passed, 0 failed, 1 skipped")
    exit(0)
}

/// The allocations of one call, after the thread's one-time setup.
func allocations(_ verifier: TokenVerifier<some KeySource>, _ token: [UInt8], expect: String) -> Int? {
    var count = 0
    for round in 0..<8 {
        ccounts_start()
        var outcome = VerificationError.Code?.none
        do throws(VerificationError) {
            try verifier.withVerified(token.span, now: TokenForge.now) { _ in }
        } catch {
            outcome = error.code
        }
        count = Int(ccounts_stop().thread.allocations)
        guard outcome?.name ?? "valid" == expect else {
            print("FAIL expected \(expect), got \(outcome?.name ?? "valid") in round \(round)")
            return nil
        }
    }
    return count
}

/// Answers every request with a new set: new names, and keys from a pool of a few hundred.
final class EverNewSets: DocumentTransport {
    private let keys = (0..<256).map { _ in TokenForge(.es256, keyID: nil).jwk }
    private let turn = Atomic(0)

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let turn = turn.add(1, ordering: .relaxed).newValue
        let jwks = (0..<2).map { "\(keys[(2 * turn + $0) % keys.count].dropLast()),\"kid\":\"key-\(turn)-\($0)\"}" }
        return ReceivedResponse(status: 200, body: Array("{\"keys\":[\(jwks.joined(separator: ","))]}".utf8))
    }
}

/// What the heap holds.
struct Heap {
    var blocks: Int64
    var bytes: Int64

    static var now: Self {
        let live = ccounts_live()
        return Self(blocks: live.blocks, bytes: live.bytes)
    }

    func minimum(_ other: Self) -> Self { Self(blocks: min(blocks, other.blocks), bytes: min(bytes, other.bytes)) }
}

/// The least that the heap held during `count` reloads. A single look would also see what other threads have not freed yet: replaced sets
/// and tables that still had readers, and the requests of a builder that a busy machine holds up.
func leastHeap(of count: Int, reloading keys: RemoteKeySet) async -> Heap {
    var least = Heap(blocks: .max, bytes: .max)
    for reload in 1...count {
        await keys.refresh()
        guard reload % 20 == 0 else { continue }
        KeyTables.shared.settle()
        least = least.minimum(.now)
    }
    return least
}

/// The counts.
struct Tally {
    var passed = 0
    var failed = 0

    mutating func expectNone(_ name: String, _ verifier: TokenVerifier<some KeySource>, _ token: String, expect: String) {
        let count = allocations(verifier, Array(token.utf8), expect: expect)
        if count == 0 { passed += 1 } else { failed += 1 }
        if let count, count > 0 { print("FAIL \(name): \(count) allocations") }
    }

    /// The same for tokens in one batch; a fifth of them are invalid.
    mutating func expectNone(_ name: String, _ verifier: TokenVerifier<some KeySource>, _ tokens: [String]) {
        let batch = TokenBatch(tokens)
        var count = 0, accepted = 0
        for _ in 0..<8 {
            accepted = 0
            ccounts_start()
            verifier.withVerified(batch, now: TokenForge.now) { _, _ in
                accepted += 1
            } refused: { _, _ in
            }
            count = Int(ccounts_stop().thread.allocations)
        }
        if count == 0, accepted == tokens.count * 4 / 5 { return passed += 1 }
        failed += 1
        print("FAIL \(name): \(count) allocations, \(accepted) of \(tokens.count) accepted")
    }

    /// The same for the claim `status` of a token.
    ///
    /// - Parameter expected: the status in `list`; 2 for another mechanism, 3 for a malformed claim.
    mutating func expectNoneReadingStatus(
        _ verifier: TokenVerifier<some KeySource>, _ token: String, _ list: VerifiedStatusList, _ expected: UInt8
    ) {
        var status: UInt8?, count = 0
        _ = try? verifier.withVerified(token, now: TokenForge.now) { claims in
            ccounts_start()
            status = claims.status(in: list)
            count = Int(ccounts_stop().thread.allocations)
        }
        if count == 0, status == expected { return passed += 1 }
        failed += 1
        print("FAIL status \(expected): \(count) allocations, \(String(describing: status))")
    }

    /// The same for the look-up of a verified token in a cache of lists, which counts no references either.
    mutating func expectNoneLookingUp(
        _ lists: StatusLists, _ verifier: TokenVerifier<some KeySource>, _ token: String, _ expected: StatusFinding
    ) {
        var finding: StatusFinding?, counts = ccounts_tally()
        _ = try? verifier.withVerified(token, now: TokenForge.now) { claims in
            guard let issuer = claims.issuer, case .statusList(let place)? = try? claims.status else { return }
            // Twice: a thread's first look-up makes its record.
            for _ in 0..<2 {
                ccounts_start()
                finding = lists.verdict(of: place, issuer: issuer).finding
                counts = ccounts_stop().thread
            }
        }
        if counts.allocations == 0, counts.retains == 0, counts.releases == 0, finding == expected { return passed += 1 }
        failed += 1
        print("FAIL look-up: \(counts), \(String(describing: finding))")
    }
}

extension Claims {
    /// The status in `list`; 2 for another mechanism, 3 for a malformed claim, nil for none.
    func status(in list: VerifiedStatusList) -> UInt8? {
        do throws(VerificationError) {
            return switch try status {
            case .absent: nil
            case .anotherMechanism: 2
            case .statusList(let place): list.status(at: place.index)
            }
        } catch {
            return 3
        }
    }
}

// Each key is prepared when it is loaded, so that no builder allocates during the count.
KeyTables.shared.isEager = true
var tally = Tally()
let algorithms: [SignatureAlgorithm] = [.rs256, .ps256, .es256, .es384, .es512, .es256k, .ed25519, .ed448, .hs256]
for algorithm in algorithms {
    let forge = TokenForge(algorithm)
    var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    policy.algorithms = [algorithm]
    policy.revokedTokenIDs = ["another"]
    let verifier = TokenVerifier(keys: forge.keySet, policy: policy)
    let good = forge.token()

    let tokens = [
        ("accepted", good, "valid"), ("tampered", good.replacing("eyJpc3M", with: "eyJpc3N"), "signature_invalid"),
        ("expired", forge.token(TokenForge.idToken.replacing("1700003600", with: "1600003600")), "expired"),
        ("audience", forge.token(TokenForge.idToken.replacing("client-1", with: "client-2")), "audience_mismatch"),
        ("escapes", forge.token(TokenForge.idToken.replacing(#""iss""#, with: #""\u0069ss""#)), "valid"),
        ("duplicate", forge.token(TokenForge.idToken.replacing(#""name""#, with: #""\u0073ub""#)), "duplicate_member"),
        ("wrong type", forge.token(type: "at+jwt"), "type_mismatch"),
        ("unknown key", forge.token(header: #"{"alg":"\#(algorithm)","kid":"x"}"#), "unknown_key"),
        ("critical", forge.token(header: #"{"alg":"\#(algorithm)","crit":["x"],"x":1}"#), "unsupported_critical"),
        ("none", forge.token(header: #"{"alg":"none"}"#), "unsecured_token"), ("junk", "a.b", "malformed_token"),
        ("base64url", good + "=", "invalid_base64url"),
    ]
    for (name, token, expect) in tokens { tally.expectNone("\(algorithm) \(name)", verifier, token, expect: expect) }
    tally.expectNone("\(algorithm) batch", verifier, (0..<70).map { $0 % 5 == 0 ? "a.b" : good })
}

// Tokens that were verified before.
for retention in [VerifiedTokenCache.Retention.tokens, .digests] {
    let forge = TokenForge(.es256), cache = VerifiedTokenCache(budget: 1 << 20, retention: retention)
    let verifier = TokenVerifier(keys: forge.keySet, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
        .caching(in: cache)
    tally.expectNone("cached \(retention) accepted", verifier, forge.token(), expect: "valid")
    if cache.statistics.hits == 0 { tally.failed += 1 }
    tally.expectNone(
        "cached \(retention) tampered", verifier, forge.token().replacing("eyJpc3M", with: "eyJpc3N"), expect: "signature_invalid")
}

// A token's place in a status list, and its status there.
let lists = TokenForge(.es256), listURI = "https://example.com/statuslists/1"
let listToken = lists.token(
    #"{"sub":"\#(listURI)","iat":1700000000,"status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ"}}"#, type: "statuslist+jwt")
let list = try StatusListVerifier(keys: lists.keySet).verify(listToken, uri: listURI, now: TokenForge.now)
let statuses: [(String, UInt8)] = [
    (#"{"status_list":{"idx":3,"uri":"\#(listURI)"}}"#, 1), (#"{"other":{}}"#, 2), (#"{"status_list":{"idx":-1}}"#, 3),
]
for (claim, expected) in statuses {
    let token = lists.token(#"{"status":\#(claim)}"#)
    tally.expectNoneReadingStatus(TokenVerifier(keys: lists.keySet, policy: .lenient), token, list, expected)
}

// The same in a cache of lists.
let listTransport = ScriptedTransport()
listTransport.answer(listURI, listToken)
let listIssuer = try StatusListIssuer("https://idp.example", origins: ["https://example.com"], keys: lists.keySet)
let listCache = StatusLists([listIssuer], transport: listTransport)
_ = await listCache.settledVerdict(index: 0, uri: listURI, issuer: "https://idp.example")
while listCache.statuses.contains(where: \.isFetching) { await Task.yield() }
for (index, expected) in [(2, StatusFinding.valid), (3, .invalid), (16, .beyondEnd)] {
    let claims = #"{"iss":"https://idp.example","status":{"status_list":{"idx":\#(index),"uri":"\#(listURI)"}}}"#
    tally.expectNoneLookingUp(listCache, TokenVerifier(keys: lists.keySet, policy: .lenient), lists.token(claims), expected)
}

// The key cache's hit path.
let forge = TokenForge(.es256), transport = ScriptedTransport()
transport.answer("https://idp.example/jwks", "{\"keys\":[\(forge.jwk)]}")
let remote = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: transport)
_ = await remote.ready(within: .seconds(10))
let verifier = TokenVerifier(keys: remote, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
tally.expectNone("remote accepted", verifier, forge.token(), expect: "valid")
tally.expectNone("remote tampered", verifier, forge.token().replacing("eyJpc3M", with: "eyJpc3N"), expect: "signature_invalid")

// Reloads, each with another set, leak nothing, even while their tables are requested and built: between two windows of reloads the heap
// grows by less than half a block for each, and by less than 32 bytes. `allocation-probe 100000` makes larger windows.
KeyTables.shared.isEager = false
ccounts_track_live()
let window = ProgramArguments.orExit(unless: Engine.fault).first.flatMap { Int($0) } ?? 4_000
let reloaded = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: EverNewSets())
let early = await leastHeap(of: window, reloading: reloaded)
let middle = await leastHeap(of: window, reloading: reloaded)
let late = await leastHeap(of: window, reloading: reloaded)
for (name, first, last) in [("early", early, middle), ("late", middle, late)] {
    print("\(window) reloads, \(name): the heap grew by \(last.blocks - first.blocks) blocks, \(last.bytes - first.bytes) bytes")
}
let isSteady = 2 * (late.blocks - middle.blocks) < window && late.bytes - middle.bytes < 32 * window
// The first fetch of all may have answered the first reload, or have come before it.
if isSteady, reloaded.generation ?? 0 >= UInt64(3 * window) { tally.passed += 1 } else { tally.failed += 1 }

print("\(tally.passed) passed, \(tally.failed) failed")
exit(tally.failed == 0 ? 0 : 1)
