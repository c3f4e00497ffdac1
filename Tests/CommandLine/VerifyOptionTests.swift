import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// The requirements that options of `assay verify` add.
@Suite struct VerifyOptionTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        verify = ["verify", "--keys", try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")]
    }

    private static let idToken = ["--issuer", "https://idp.example", "--audience", "client-1", "--at", "1700000100"]
    private static let accessToken = """
        {"iss":"https://idp.example","sub":"1","aud":"client-1","client_id":"c","jti":"j","exp":1700003600,"iat":1700000000}
        """

    /// The code of a refusal, or "valid".
    private func verdict(_ more: [String], _ token: String) throws -> String {
        let outcome = try Command.assay(verify + more + ["--json", token])
        let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        return document["valid"] as? Bool == true ? "valid" : document["code"] as? String ?? ""
    }

    static let requirements: [([String], String)] = [
        (["--id-token"], "valid"), (["--id-token", "--nonce", "n-0S6_WzA2Mj"], "valid"), (["--nonce", "other"], "nonce_mismatch"),
        (["--access-token"], "type_mismatch"), (["--access-token", "--type", "JWT"], "missing_claim"), (["--type", "jwt"], "valid"),
        (["--type", "at+jwt"], "type_mismatch"), (["--require", "name", "--require", "nonce"], "valid"),
        (["--require", "name", "--require", "acr"], "missing_claim"), (["--algorithm", "es256"], "valid"),
        (["--algorithm", "RS256", "--algorithm", "Es256"], "valid"), (["--algorithm", "eddsa"], "algorithm_not_allowed"),
    ]

    @Test(arguments: requirements) func eachRequirementHasItsVerdict(_ more: [String], _ expected: String) throws {
        #expect(try verdict(Self.idToken + more, forge.token()) == expected)
    }

    @Test func theProfilesAreThoseOfTheirSpecifications() throws {
        let token = forge.token(Self.accessToken, type: "at+jwt")
        #expect(try verdict(Self.idToken + ["--access-token"], token) == "valid")
        #expect(try verdict(Self.idToken + ["--id-token"], token) == "type_mismatch")
        let shared = forge.token(TokenForge.idToken.replacing(#""client-1""#, with: #"["client-1","other"]"#))
        #expect(try verdict(Self.idToken, shared) == "valid")
        #expect(try verdict(Self.idToken + ["--id-token"], shared) == "audience_mismatch")
    }

    /// The token's `exp` is 1700003600, 2023-11-14T23:13:20Z.
    static let times = [
        ("1700003599", "valid"), ("1700003600", "expired"), ("1700003599.999999999", "valid"), ("2023-11-14T23:13:19Z", "valid"),
        ("2023-11-14T23:13:20Z", "expired"), ("2023-11-15T00:13:19.9+01:00", "valid"), ("2023-11-15t00:13:20+01:00", "expired"),
        ("2023-11-14 18:43:19.999999999-04:30", "valid"),
    ]

    @Test(arguments: times) func theTimeIsANumericDateOrRFC3339(_ time: String, _ expected: String) throws {
        #expect(try verdict(["--leeway", "0", "--at", time], forge.token()) == expected)
    }

    @Test(arguments: [
        "tomorrow", "1e9", "2023-02-29T00:00:00Z", "2023-11-14", "2023-11-14T23:13:20", "2023-11-14T24:00:00Z", "1700000000.", "--5", "",
        "2023-11-14T23:13:20.Z", "2023-13-01T00:00:00Z", "99999999999999999999",
    ])
    func anotherTimeIsAUsageError(_ time: String) throws {
        let outcome = try Command.assay(verify + ["--at=\(time)", "a.b.c"], exits: 2)
        #expect(outcome.errors.contains("2026-11-21T08:00:00Z"))
        #expect(try Command.assay(["inspect", "--at=\(time)", "a.b.c"]).exitCode == 2)
    }

    static let mistakes: [([String], String)] = [
        (["--algorithm", "RS255", "t"], "the algorithms are RS256, RS384, "),
        (["--id-token", "t"], "--id-token needs --issuer and --audience"),
        (["--access-token", "--issuer", "https://i", "t"], "--access-token needs --issuer and --audience"),
        (idToken + ["--id-token", "--access-token", "t"], "use either --id-token or --access-token"),
        (["--no-claims", "--nonce", "n", "t"], "use either it or --nonce"),
        (["--no-claims", "--require", "n", "t"], "use either it or --require"),
        (idToken + ["--no-claims", "--id-token", "t"], "use either it or --id-token"),
        (["--no-claims", "--audience", "a", "t"], "use either it or --audience"),
        (["--no-claims", "--leeway", "60", "t"], "use either it or --leeway"),
        (["--no-claims", "--at", "1", "t"], "use either it or --at"), (["--no-claims", "--now", "1", "t"], "use either it or --at"),
        (["--no-claims", "--issuer", "https://i", "t"], "use either it or --issuer"),
        (["--nonce", "", "t"], "--nonce must not be empty"),
    ]

    /// What a signature has is checked without claims, too.
    @Test(
        arguments: [(["--type", "at+jwt"], "type_mismatch"), (["--algorithm", "RS256"], "algorithm_not_allowed"), ([], "valid")]
            as [([String], String)])
    func withoutClaimsTheHeaderCounts(_ more: [String], _ expected: String) throws {
        #expect(try verdict(["--no-claims"] + more, forge.token()) == expected)
    }

    @Test(arguments: mistakes) func aMistakeIsNamed(_ more: [String], _ sentence: String) throws {
        let outcome = try Command.assay(verify + more, exits: 2)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }
}

/// What every command says of wrong usage, and of what it cannot read.
@Suite struct UsageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let repeated: [([String], String)] = [
        (["verify", "--issuer", "https://a", "--issuer", "https://b", "t"], "--issuer is given twice"),
        (["verify", "--keys=a", "--keys", "b", "t"], "--keys is given twice"),
        (["verify", "--keys", "k", "--at", "1", "--now", "2", "t"], "--at or --now is given twice"),
        (["verify", "--keys", "k", "--nonce", "a", "--nonce", "a", "--nonce", "b", "t"], "--nonce is given 3 times"),
        (["conformance", "--engine", "openssl", "--engine", "tables", "vectors"], "--engine is given twice"),
    ]

    /// Of two issuers, the parser would check the last alone.
    @Test(arguments: repeated) func anOptionOfOneValueIsGivenOnce(_ arguments: [String], _ sentence: String) throws {
        #expect(try Command.assay(arguments, exits: 2).errors == "Error: \(sentence), and takes one value\n")
    }

    /// The command looks for a repeated option by these names alone, because reading its own description takes as long as it takes to start.
    @Test func onlyTheTimeHasTwoNames() throws {
        let description = try JSONSerialization.jsonObject(with: Data(Command.assay(["--experimental-dump-help"], exits: 0).bytes))
        var open = [try #require((description as? [String: Any])?["command"] as? [String: Any])], names: Set<[String]> = []
        while let command = open.popLast() {
            open += command["subcommands"] as? [[String: Any]] ?? []
            for argument in command["arguments"] as? [[String: Any]] ?? [] where argument["kind"] as? String == "option" {
                let long = (argument["names"] as? [[String: String]] ?? []).filter { $0["kind"] == "long" }.compactMap { $0["name"] }
                if long.count > 1 { names.insert(long.sorted()) }
            }
        }
        #expect(names == [["at", "now"]])
    }

    @Test func whatFollowsTheTerminatorIsNoOption() throws {
        #expect(!(try Command.assay(["verify", "--keys", "k", "--", "--keys"]).errors.contains("given twice")))
    }

    static let suggestions = [
        (["verify", "--audienc", "a"], "--audience"), (["verify", "--aud", "a"], "--audience"), (["verify", "--alg", "a"], "--algorithm"),
        (["verify", "--iss", "a"], "--issuer"), (["verify", "--jwks", "a"], "--keys"), (["verify", "--aduience", "a"], "--audience"),
        (["verify", "--line", "a"], "--line-numbers"), (["keys", "--wacth", "x"], "--watch"), (["verfy"], "verify"),
        (["conform"], "conformance"),
    ]

    @Test(arguments: suggestions) func aMistypedNameGetsTheOneThatWasMeant(_ arguments: [String], _ meant: String) throws {
        // The keys are named, so that the unknown option is the only mistake.
        let keys = arguments[0] == "verify" ? ["--keys", "k"] : []
        let outcome = try Command.assay(arguments + keys, exits: 2)
        #expect(outcome.errors.contains("Did you mean '\(meant)'?"), "\(outcome.errors)")
    }

    @Test(arguments: [["verify", "--keys", "k", "--xyz", "t"], ["verify", "--keys", "k", "--tokens", "t"], ["xyzzy"]])
    func aNameLikeNoOtherGetsNone(_ arguments: [String]) throws {
        #expect(!(try Command.assay(arguments, exits: 2).errors.contains("Did you mean")))
    }

    // Missing files

    static let missing: [[String]] =
        [
            ["verify", "--keys", "/no-such-file", "t"], ["verify", "--key", "/no-such-file", "t"], ["keys", "/no-such-file"],
            ["keys", "--watch", "/no-such-file"], ["conformance", "/no-such-file"], ["verify", "--key", "/usr", "t"],
            ["verify", "--key", "Examples/rfc/rfc7515-a3-es256.jwk", "--batch", "/no-such-file"],
        ] + missingOfTraits

    private static var missingOfTraits: [[String]] {
        var commands: [[String]] = []
        #if IDaaS
        commands += [["idaas", "client", "list", "--config", "/no-such-file"], ["idaas", "client", "list", "--db", "/no-such-file"]]
        commands += [["idaas", "serve", "--dev", "--config", "/no-such-file"]]
        #endif
        #if HTTP
        commands += [["login", "sms", "--domain", "https://i", "--client", "c", "--store", "/tmp/none", "--ca-file", "/no-such-file"]]
        #endif
        return commands
    }

    @Test(arguments: missing) func aMissingFileIsExitCode2AndNamed(_ arguments: [String]) throws {
        let outcome = try Command.assay(arguments, exits: 2)
        let place = arguments.contains("/usr") ? "/usr: Is a directory" : "/no-such-file"
        #expect(outcome.errors.contains(place) && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(!outcome.errors.contains("Cocoa") && !outcome.errors.contains("Error Domain"))
    }

    // JSON

    static let failures: [([String], String, Int32)] =
        [
            (["verify"], "usage", 2), (["verify", "--keys", "k", "--xyz", "t"], "usage", 2),
            (["verify", "--keys", "k", "--keys", "k", "t"], "usage", 2), (["keys", "/no-such-file"], "file", 2),
            (["verify", "--keys", "/no-such-file", "t"], "file", 2), (["verify", "--keys", "README.md", "t"], "keys_unavailable", 3),
            (["verify", "--key", "Examples/rfc/rfc7515-a3-es256.jwk", "--batch", "/no-such-file"], "file", 2),
            (["verify", "--key", "Examples/rfc/rfc7515-a3-es256.jwk", "a.b"], "malformed_token", 1),
            (["inspect", "a.b"], "malformed_token", 1),
            (["conformance", "/no-such-file"], "file", 2), (["conformance", "Docs"], "nothing_to_run", 1), (["nonsense"], "usage", 2),
        ] + failuresOfTraits

    private static var failuresOfTraits: [([String], String, Int32)] {
        var commands: [([String], String, Int32)] = []
        #if IDaaS
        commands.append((["idaas", "user", "list", "--db", "/no-such-file"], "usage", 2))
        #endif
        #if HTTP
        commands.append((["session", "show", "--store", "/no-such-folder/session.json"], "1", 1))
        #endif
        return commands
    }

    @Test(arguments: failures) func everyFailureIsOneDocument(_ arguments: [String], _ code: String, _ exitCode: Int32) throws {
        let outcome = try Command.assay(arguments + ["--json"], exits: exitCode)
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(document?["code"] as? String == code, "\(outcome.output)")
        #expect((document?["reason"] as? String)?.isEmpty == false && outcome.output.hasSuffix("}\n"))
    }
}
