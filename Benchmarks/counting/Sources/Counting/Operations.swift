import Fixtures
import Foundation
import JWTCore

extension Operation {
    /// All counted operations, with prepared keys.
    public static func all() throws -> [Operation] {
        var operations: [Operation] = []
        for accepted in Accepted.all {
            guard let algorithm = SignatureAlgorithm(name: accepted.algorithm) else { continue }
            let subject = try subject(accepted.fixture, algorithm)
            operations.append(Lent("\(accepted.name)-lent", subject))
            operations.append(Copied("\(accepted.name)-copied", subject))
        }
        operations.append(try batch(of: 64, isStepped: false))
        operations.append(try batch(of: 8, isStepped: true))
        return operations + (try refusals()) + (try alikeNames()) + (try decisions())
    }

    /// A gateway's decisions about a cached token, about a new one, about one without a signature, about none, and with many settings.
    private static func decisions() throws -> [Operation] {
        let good = try Fixtures.case("valid-algorithms", keyID: "p256-1", "valid-es256")
        let forged = try Fixtures.case("ecdsa-signatures", keyID: "p256-1", "ecdsa-es256-flipped")
        return [
            try Deciding("decide-hit", good, token: good.token, remembers: true),
            try Deciding("decide-es256", good, token: good.token, remembers: false),
            try Deciding("decide-refused", good, token: forged.token, remembers: false, expected: "signature_invalid"),
            try Deciding("decide-junk", good, token: "a.b", remembers: false, expected: "malformed_token"),
            try Deciding("decide-settings", good, token: good.token, remembers: true, Deciding.withEverything),
        ]
    }

    private static func refusals() throws -> [Operation] {
        let refused: [(name: String, algorithm: SignatureAlgorithm, file: String, keyID: String, id: String)] = [
            ("expired", .es256, "time-claims", "p256-1", "exp-past"),
            ("rs256-forged", .rs256, "rsa-pkcs1", "rsa-1", "pkcs1-flipped"),
            ("es256-forged", .es256, "ecdsa-signatures", "p256-1", "ecdsa-es256-flipped"),
            ("ed25519-forged", .edDSA, "eddsa", "ed25519-1", "eddsa-ed25519-flipped-s"),
            ("hs256-forged", .hs256, "hmac", "hs256-exact", "hmac-hs256-flipped"),
        ]
        let operations = try refused.map { name, algorithm, file, keyID, id in
            let fixture = try Fixtures.case(file, keyID: keyID, id)
            return Lent("refuse-\(name)", try subject(fixture, algorithm), expected: fixture.expected)
        }
        let keys = try Fixtures.case("time-claims", keyID: "p256-1", "exp-past").keys
        let junk = Fixtures.Case(token: "a.b", keys: keys, expected: "malformed_token")
        return operations + [Lent("refuse-junk", try subject(junk, .es256), expected: junk.expected)]
    }

    /// The cost of hostile names: names of one length that differ only in two characters near their ends; those of the payload are escaped. A
    /// comparison of every pair, byte by byte, would cost ten times the instructions.
    private static func alikeNames() throws -> [Operation] {
        let keys = try Fixtures.case("time-claims", keyID: "p256-1", "exp-past").keys
        let names = alikeNames(10, length: 100, beginning: "").map { "\"\($0)\"" }
        let header = #"{"alg":"ES256","crit":[\#(names.joined(separator: ","))],\#(members(names))}"#
        let critical = Fixtures.Case(token: "\(encoded(header)).e30.AA", keys: keys, expected: "unsupported_critical")
        let payload = "{\(members(alikeNames(64, length: 40, beginning: #"\/"#).map { "\"\($0)\"" }))}"
        return [
            Lent("refuse-alike-names", try subject(critical, .es256), expected: critical.expected),
            Unverified("unverified-alike-names", unsigned(payload)),
            Unverified("unverified-many-names", unsigned(manyNames()), isStepped: false),
            Unverified("refuse-many-names", unsigned(manyNames() + " 0"), expected: "invalid_json", isStepped: false),
        ]
    }

    /// The maximum number of names in a token, in objects with the maximum number of members. The hit path's probe counts the instructions
    /// of this case, on any CPU.
    private static func manyNames() -> String {
        let object = "{\(members((0..<250).map { "\"\(String($0, radix: 36))\"" }))}"
        return "{\"a\":[\(Array(repeating: object, count: 6).joined(separator: ","))]}"
    }

    private static func unsigned(_ payload: String) -> [UInt8] { Array("\(encoded(#"{"alg":"ES256"}"#)).\(encoded(payload)).AA".utf8) }

    private static func alikeNames(_ count: Int, length: Int, beginning: String) -> [String] {
        let (letters, filling) = (Array("abcdefghijklmnop"), String(repeating: "x", count: length - 5))
        return (0..<count).map { #"\#(beginning)\#(filling)\#(letters[$0 / 16])\#(letters[$0 % 16])z"# }
    }

    private static func members(_ names: [String]) -> String { names.map { "\($0):0" }.joined(separator: ",") }

    private static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// ES256 tokens with distinct claims, repeated to the required number.
    private static func batch(of count: Int, isStepped: Bool) throws -> Operation {
        let cases = try Fixtures.cases("time-claims", keyID: "p256-1") { $0.hasPrefix("exp-") || $0.hasPrefix("iat-") }
        let good = try cases.map(\.case).filter { try $0.expected == "valid" && subject($0, .es256).lent == nil }
        var batch = TokenBatch()
        for position in 0..<count { batch.append(good[position % good.count].token) }
        return Batched("es256-batch-\(count)", BatchSubject(verifier: try verifier(good[0], .es256), batch: batch), isStepped: isStepped)
    }

    private static func subject(_ fixture: Fixtures.Case, _ algorithm: SignatureAlgorithm) throws -> Subject {
        Subject(verifier: try verifier(fixture, algorithm), token: Array(fixture.token.utf8))
    }

    private static func verifier(_ fixture: Fixtures.Case, _ algorithm: SignatureAlgorithm) throws -> TokenVerifier<KeySet> {
        let keys = try KeySet(jwks: Array(fixture.keys).span)
        keys.prepare()
        var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        policy.algorithms = [algorithm]
        return TokenVerifier(keys: keys, policy: policy)
    }
}
