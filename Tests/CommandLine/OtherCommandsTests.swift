import Foundation
import JWTCore
import JWTTestSupport
import Testing

@Suite struct InspectCommandTests {
    @Test func itMarksWhatItShowsAsUnverifiedAndTellsTimes() throws {
        let token = TokenForge(.es256).token()
        let outcome = try Command.assay(["inspect", "--now", "1700000100", token], exits: 0)
        #expect(outcome.output.contains("UNVERIFIED header") && outcome.output.contains("UNVERIFIED claims"))
        #expect(outcome.output.contains("exp 2023-11-14 23:13:20 UTC, in 58 minutes"))
        #expect(outcome.output.contains("iat 2023-11-14 22:13:20 UTC, 1 minute ago"))
    }
}

@Suite struct KeysCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyKeyIsListedWithTheReasonWhyItIsSkipped() throws {
        let good = TokenForge(.rs256, keyID: "good").jwk
        let file = try folder.write(
            "keys.json", #"{"keys":[\#(good),{"kty":"XYZ","kid":"strange"},{"kty":"oct","k":"AAAA","kid":"short"},{"kty":"EC"}]}"#)
        let outcome = try Command.assay(["keys", file], exits: 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[1].hasPrefix("good ") && lines[1].hasSuffix("usable"))
        #expect(lines[2].contains("skipped: key_algorithm_mismatch"))
        #expect(lines[3].contains("skipped: weak_key"))
        #expect(lines[4].contains("skipped:"))
        let json = try Command.assay(["keys", file, "--json"])
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((object["keys"] as? [[String: Any]])?.map { $0["usable"] as? Bool } == [true, false, false, false])
    }
}

@Suite struct ConformanceCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theVectorsOfTheRepositoryPass() throws {
        let outcome = try Command.assay(["conformance", "vectors"], exits: 0)
        #expect(outcome.output.contains(" passed, 0 failed"))
    }

    @Test func aWrongExpectationFailsAndIsNamed() throws {
        let forge = TokenForge(.es256)
        let file = try folder.write(
            "mine.json",
            """
            {"name":"mine","description":"","keys":{"keys":[\(forge.jwk)]},"policy":{},"now":1700000100,"cases":[
            {"id":"right","token":"\(forge.token())","expect":"valid","why":"","reference":""},
            {"id":"any-code","token":"a.b","expect":"invalid","why":"","reference":""},
            {"id":"wrong","token":"a.b","expect":"expired","why":"","reference":""}]}
            """)
        let outcome = try Command.assay(["conformance", file], exits: 1)
        #expect(outcome.output == "FAIL mine.json wrong: expected expired, got malformed_token\n2 passed, 1 failed\n")
    }

    @Test func nothingToRunIsSaidAndFails() throws {
        let strange = try folder.write("group.json", Self.wycheproof(curve: "secp224r1"))
        let sentences = [("Docs", "there is no case of a known format"), (strange, "every case is skipped")]
        for (path, sentence) in sentences {
            let outcome = try Command.assay(["conformance", path], exits: 1)
            #expect(outcome.errors == "Error: nothing to run: \(sentence)\n" && outcome.output.contains("0 passed, 0 failed"))
        }
    }

    @Test func eachSkipHasItsReason() throws {
        let file = try folder.write("group.json", Self.wycheproof(curve: "secp224r1"))
        let reason = "JOSE has no algorithm for EcdsaP1363Verify, secp224r1, SHA-256"
        let outcome = try Command.assay(["conformance", file])
        #expect(outcome.output == "SKIP 2: \(reason)\n0 passed, 0 failed, 2 skipped\n")
        let json = try Command.assay(["conformance", file, "--json"])
        let document = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let skips = try #require(document["skips"] as? [[String: Any]])
        #expect(skips.map { $0["reason"] as? String } == [reason] && skips.map { $0["count"] as? Int } == [2])
        let other = try Command.assay(["conformance", file, "--implementation", "cat >/dev/null"], exits: 1)
        #expect(other.output.hasPrefix("SKIP 1: only cases of Assay's own format go to another implementation\n"))
    }

    /// Two groups of Wycheproof's format, one test each, with no key.
    private static func wycheproof(curve: String) -> String {
        let group = #"{"type":"EcdsaP1363Verify","sha":"SHA-256","publicKey":{"curve":"\#(curve)"},"tests":[{"tcId":1}]}"#
        return #"{"schema":"ecdsa_p1363_verify_schema_v1.json","testGroups":[\#(group),\#(group)]}"#
    }

    /// A double cannot tell these instants apart: they differ by one nanosecond.
    @Test func theTimeOfAFileIsExactToTheNanosecond() throws {
        let forge = TokenForge(.es256), token = forge.token(#"{"exp":1700000000.123456789}"#)
        for (now, expect) in [("1700000000.123456788", "valid"), ("1700000000.123456789", "expired")] {
            let case_ = #"{"id":"a","token":"\#(token)","expect":"\#(expect)"}"#
            let file = try folder.write(
                "mine.json", #"{"keys":{"keys":[\#(forge.jwk)]},"policy":{"leeway":0},"now":\#(now),"cases":[\#(case_)]}"#)
            #expect(try Command.assay(["conformance", file]).output == "1 passed, 0 failed\n")
            let asked = ["conformance", file, "--implementation", "tee \(folder.path)/questions >/dev/null"]
            _ = try Command.assay(asked, exits: 1)
            #expect(folder.read("questions").contains("\"now\":\(now),") && folder.read("questions").hasSuffix("}\n"))
        }
    }

    @Test(arguments: [
        (#"{"keys":{},"cases":[],"policy":{}}"#, "the member now is missing"),
        (#"{"keys":{},"cases":[{"id":1}],"policy":{},"now":1}"#, "the member cases.0.id has another type"),
        (#"{"keys":{},"cases":[],"policy":{},"now":1e40}"#, "the member now cannot be read"),
    ])
    func aFileOfAnotherFormHasASentence(_ text: String, _ sentence: String) throws {
        let file = try folder.write("mine.json", text)
        #expect(try Command.assay(["conformance", file], exits: 2).errors == "Error: \(file): \(sentence)\n")
    }

    /// One key that is expected to be usable, and is not; one the other way round.
    @Test func aWrongKeyOfASetFailsAndIsNamed() throws {
        let jwk = TokenForge(.es256).jwk.replacing("\"", with: "\\\"")
        let keys = #"[{"kid":"a","usable":false,"reason":"weak_key"}]"#
        let head = #"{"kind":"jwks","name":"mine","description":"","published":false,"documents":["#
        let cases = [
            #"{"id":"empty","expect":"valid","severity":"must","keys":[],"document":"{\"keys\":[]}"}"#,
            #"{"id":"no-set","expect":"valid","severity":"must","keys":[],"document":"{}"}"#,
            #"{"id":"octets","expect":"invalid_utf8","severity":"must","octets":"_w"}"#,
            #"{"id":"refused","expect":"valid","severity":"should","keys":\#(keys),"document":"{\"keys\":[\#(jwk)]}"}"#,
        ]
        let file = try folder.write("sets.json", head + cases.joined(separator: ",") + "]}")
        let outcome = try Command.assay(["conformance", file], exits: 1)
        #expect(outcome.output.contains("FAIL sets.json no-set: expected valid, got invalid_key\n"))
        #expect(outcome.output.contains("FAIL sets.json refused: expected keys: a weak_key, got keys: "))
        #expect(outcome.output.hasSuffix("2 passed, 2 failed\n"))
        let json = try Command.assay(["conformance", file, "--json"], exits: 1)
        let document = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((document["failures"] as? [[String: Any]])?.map { $0["severity"] as? String } == ["must", "should"])
    }

    /// The first set is fetched at the start, and the next fetch is due after 80 % of 300 seconds.
    @Test(arguments: [("239", 1, true), ("241", 1, false), ("241", 2, true)])
    func aCacheThatFetchesAnotherNumberOfTimesFails(at time: String, fetches: Int, passes: Bool) throws {
        let jwk = TokenForge(.es256).jwk.replacing("\"", with: "\\\"")
        let policy = #"""
            {"default_lifetime":300,"lifetime":[60,3600],"refresh_fraction":0.8,"refresh_jitter":0,"stale_if_error":3600,
            "backoff":[30,30],"longest_retry_after":300,"attempt_limit":10,"probe_limit":2,"probe_window":10,"negative_lifetime":10,
            "maximum_churn":null,"held_recheck":60,"empty_set":"failure"}
            """#
        let file = try folder.write(
            "cache.json",
            """
            {"kind":"cache","name":"mine","description":"","documents":{"one":"{\\"keys\\":[\(jwk)]}"},"scenarios":[
            {"id":"a","severity":"must","source":{"jwks":"https://idp.example/keys"},"policy":\(policy),"steps":[
            {"at":0,"serve":{"https://idp.example/keys":{"status":200,"fields":[],"document":"one"}}},
            {"at":\(time),"expect":{"generation":1,"fetches":\(fetches)}}]}]}
            """)
        let outcome = try Command.assay(["conformance", file], exits: passes ? 0 : 1)
        #expect(outcome.output.hasSuffix(passes ? "1 passed, 0 failed\n" : "0 passed, 1 failed\n"))
        #expect(passes || outcome.output.contains("at \(time).0 s: expected fetches \(fetches), got 2"))
    }

    @Test func aCaseThatAnImplementationDoesNotSupportIsSkipped() throws {
        let skipsAll = "sed -u 's/.*\"id\":\"\\([^\"]*\\)\".*/{\"id\":\"\\1\",\"verdict\":\"unsupported\"}/'"
        let outcome = try Command.assay(["conformance", "vectors/types.json", "--implementation", skipsAll], exits: 1)
        #expect(outcome.output == "SKIP 16: the implementation does not have what the case needs\n0 passed, 0 failed, 16 skipped\n")
    }

    /// An answer about a set names its usable keys. A set without one may be refused.
    @Test func anotherImplementationIsAskedAboutSets() throws {
        let head = #"{"kind":"jwks","name":"mine","description":"","published":false,"documents":["#
        let keys = #"[{"kid":"a","usable":true,"algorithms":["RS256"]},{"kid":null,"usable":false,"reason":"weak_key"}]"#
        let cases = [
            #"{"id":"one","expect":"valid","severity":"must","keys":\#(keys),"document":"{}"}"#,
            #"{"id":"none","expect":"valid","severity":"must","keys":[],"document":"{}"}"#,
        ]
        let file = try folder.write("sets.json", head + cases.joined(separator: ",") + "]}")
        for (usable, failures) in [(#"["a"]"#, 0), ("[]", 1), (#"["a",null]"#, 1)] {
            let answers = #"{"id":"one","verdict":"valid","usable":\#(usable)}\n{"id":"none","verdict":"invalid"}\n"#
            let command = "cat >'\(folder.path)/questions'; printf '\(answers)'"
            let outcome = try Command.assay(["conformance", file, "--implementation", command])
            #expect(outcome.output.hasSuffix("\(2 - failures) passed, \(failures) failed\n"))
        }
        #expect(folder.read("questions").contains(#""published":false"#) && !folder.read("questions").contains("token"))
    }

    /// A case that expects another status, another place or another event than Assay reads.
    @Test func wrongContentFailsAndIsNamed() throws {
        let outcome = try Command.assay(["conformance", try Self.lists(in: folder), try Self.events(in: folder)], exits: 1)
        #expect(outcome.output.contains("FAIL lists.json other-status: expected status 0, got status 1\n"))
        #expect(outcome.output.contains("FAIL lists.json beyond: expected status 1, got invalid_status\n"))
        #expect(outcome.output.contains("FAIL lists.json accepted: expected expired, got valid\n"))
        #expect(outcome.output.contains("FAIL lists.json other-place: expected index 8 of urn:a, got index 7 of urn:a\n"))
        #expect(outcome.output.contains("FAIL lists.json no-place: expected no list, got index 7 of urn:a\n"))
        #expect(outcome.output.contains("FAIL events.json other-event: expected events urn:b, got events urn:a\n"))
        #expect(outcome.output.contains("FAIL events.json any-refusal: expected invalid, got valid\n"))
        #expect(outcome.output.hasSuffix("5 passed, 7 failed\n"))
    }

    @Test func anotherImplementationIsAskedAboutListsAndEvents() throws {
        let lists = try Self.lists(in: folder), events = try Self.events(in: folder)
        let answers = [
            #"{"id":"status","verdict":"valid","status":1}"#, #"{"id":"other-status","verdict":"valid","status":1}"#,
            #"{"id":"beyond","verdict":"valid"}"#, #"{"id":"accepted","verdict":"invalid"}"#, #"{"id":"any-code","verdict":"invalid"}"#,
            #"{"id":"place","verdict":"valid","uri":"urn:a","index":7}"#,
            #"{"id":"other-place","verdict":"valid","uri":"urn:a","index":7}"#,
            #"{"id":"no-place","verdict":"valid"}"#, #"{"id":"no-claim","verdict":"unsupported"}"#,
            #"{"id":"event","verdict":"valid"}"#, #"{"id":"other-event","verdict":"valid","events":["urn:a"]}"#,
            #"{"id":"any-refusal","verdict":"valid"}"#,
        ]
        let file = try folder.write("answers", answers.joined(separator: "\n") + "\n")
        let command = "cat >'\(folder.path)/questions'; cat '\(file)'"
        let outcome = try Command.assay(["conformance", lists, events, "--implementation", command], exits: 1)
        #expect(outcome.output.contains("FAIL lists.json other-status: expected status 0, got status 1\n"))
        #expect(outcome.output.contains("FAIL lists.json beyond: expected status 1, got no status\n"))
        #expect(outcome.output.contains("FAIL lists.json other-place: "))
        #expect(outcome.output.contains("FAIL events.json other-event: "))
        #expect(outcome.output.contains("FAIL events.json any-refusal: expected invalid, got valid\n"))
        #expect(outcome.output.hasSuffix("6 passed, 5 failed, 1 skipped\n"))
        let questions = folder.read("questions").split(separator: "\n")
        #expect(questions.filter { $0.contains(#""kind":"statuslists""#) }.count == 9)
        #expect(questions.filter { $0.contains(#""kind":"events""#) && $0.contains(#""now":1700000100"#) }.count == 3)
        // An answer is not in its question.
        #expect(questions.allSatisfy { !$0.contains(#""status":"#) && !($0.contains("referenced_token") && $0.contains(#""index""#)) })
    }

    /// A case that expects other claims, another payload, another signature, or another reason than Assay has.
    @Test func wrongClaimsAndSignaturesFailAndAreNamed() throws {
        let outcome = try Command.assay(
            ["conformance", try Self.presentations(in: folder), try Self.documents(in: folder)], exits: 1)
        #expect(outcome.output.contains(#"other-claims: expected claims {"exp":1}, got claims {"exp":1700003600}"#))
        #expect(outcome.output.contains("other-reason: expected holder: expired, got issuer: malformed_token\n"))
        #expect(outcome.output.contains("other-payload: expected payload eA, signed by 0, got payload e30, signed by 0\n"))
        #expect(outcome.output.contains("other-place: expected 1: missing_algorithm, got 0: missing_algorithm\n"))
        #expect(outcome.output.hasSuffix("4 passed, 4 failed\n"))
    }

    @Test func anotherImplementationIsAskedAboutPresentationsAndDocuments() throws {
        let presentations = try Self.presentations(in: folder), documents = try Self.documents(in: folder)
        let answers = [
            #"{"id":"claims","verdict":"valid","claims":{"exp":1700003600}}"#, #"{"id":"other-claims","verdict":"valid"}"#,
            #"{"id":"reason","verdict":"invalid"}"#, #"{"id":"other-reason","verdict":"valid"}"#,
            #"{"id":"payload","verdict":"valid","payload":"eA"}"#, #"{"id":"other-payload","verdict":"valid","signatures":[1]}"#,
            #"{"id":"place","verdict":"invalid"}"#, #"{"id":"other-place","verdict":"unsupported"}"#,
        ]
        let file = try folder.write("answers", answers.joined(separator: "\n") + "\n")
        let command = "cat >'\(folder.path)/questions'; cat '\(file)'"
        let outcome = try Command.assay(["conformance", presentations, documents, "--implementation", command], exits: 1)
        #expect(outcome.output.contains("other-reason: expected invalid, got valid\n"))
        #expect(outcome.output.contains(" payload: expected payload e30, signed by 0, got payload eA, signed by 0\n"))
        #expect(outcome.output.contains("other-payload: expected payload eA, signed by 0, got payload eA, signed by 1\n"))
        #expect(outcome.output.hasSuffix("4 passed, 3 failed, 1 skipped\n"))
        let questions = folder.read("questions").split(separator: "\n")
        #expect(questions.filter { $0.contains(#""kind":"selective""#) && $0.contains(#""now":1700000100"#) }.count == 4)
        #expect(questions.filter { $0.contains(#""kind":"documents""#) && $0.contains(#""detached":"e30""#) }.count == 4)
        #expect(questions.allSatisfy { !$0.contains(#""claims":"#) && !$0.contains(#""signatures":"#) && !$0.contains("expect") })
    }

    private static func presentations(in folder: TemporaryFolder) throws -> String {
        let forge = TokenForge(.es256)
        let good = forge.token(#"{"exp":1700003600}"#) + "~"
        let asked = [
            ("claims", "valid", good, #","claims":{"exp":1700003600}"#), ("other-claims", "valid", good, #","claims":{"exp":1}"#),
            ("reason", "malformed_token", "x~", #","refused":"issuer""#), ("other-reason", "expired", "x~", #","refused":"holder""#),
        ]
        let cases = asked.map { #"{"id":"\#($0)","expect":"\#($1)","severity":"must","presentation":"\#($2)"\#($3)}"# }
        return try folder.write("presentations.json", file("selective", forge, "{}", cases))
    }

    private static func documents(in folder: TemporaryFolder) throws -> String {
        let forge = TokenForge(.es256)
        let parts = forge.token("{}").split(separator: ".")
        let good = #"{\"protected\":\"\#(parts[0])\",\"signature\":\"\#(parts[2])\"}"#
        let bad = #"{\"header\":{\"kid\":\"x\"},\"signature\":\"\#(parts[2])\"}"#
        let asked = [
            ("payload", "valid", good, #","payload":"e30","signatures":[0]"#),
            ("other-payload", "valid", good, #","payload":"eA","signatures":[0]"#),
            ("place", "missing_algorithm", bad, #","refused":0"#), ("other-place", "missing_algorithm", bad, #","refused":1"#),
        ]
        let cases = asked.map { #"{"id":"\#($0)","expect":"\#($1)","severity":"must","document":"\#($2)","detached":"e30"\#($3)}"# }
        return try folder.write("documents.json", file("documents", forge, #"{"requirement":"all"}"#, cases))
    }

    private static func lists(in folder: TemporaryFolder) throws -> String {
        let forge = TokenForge(.es256)
        let list = forge.token(
            #"{"sub":"urn:a","iat":1700000000,"status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ"}}"#, type: "statuslist+jwt")
        let token = forge.token(#"{"exp":1700003600,"status":{"status_list":{"idx":7,"uri":"urn:a"}}}"#)
        let plain = forge.token(#"{"exp":1700003600}"#)
        func asked(_ id: String, _ expect: String, _ status: Int?, index: Int = 0) -> String {
            let answer = status.map { #","status":\#($0)"# } ?? ""
            return #"{"id":"\#(id)","expect":"\#(expect)","severity":"must","list":"\#(list)","uri":"urn:a","index":\#(index)\#(answer)}"#
        }
        func asked(_ id: String, _ token: String, _ place: String) -> String {
            #"{"id":"\#(id)","expect":"valid","severity":"must","referenced_token":"\#(token)"\#(place)}"#
        }
        let cases = [
            asked("status", "valid", 1), asked("other-status", "valid", 0), asked("beyond", "valid", 1, index: 16),
            asked("accepted", "expired", nil), asked("any-code", "invalid", nil, index: 16),
            asked("place", token, #","uri":"urn:a","index":7"#), asked("other-place", token, #","uri":"urn:a","index":8"#),
            asked("no-place", token, ""), asked("no-claim", plain, ""),
        ]
        return try folder.write("lists.json", file("statuslists", forge, "{}", cases))
    }

    private static func events(in folder: TemporaryFolder) throws -> String {
        let forge = TokenForge(.es256)
        let token = forge.token(#"{"iss":"i","aud":"a","jti":"1","iat":1700000000,"events":{"urn:a":{}}}"#, type: "secevent+jwt")
        let answers = [
            ("event", "valid", #","events":["urn:a"]"#), ("other-event", "valid", #","events":["urn:b"]"#), ("any-refusal", "invalid", ""),
        ]
        let cases = answers.map { #"{"id":"\#($0)","expect":"\#($1)","severity":"must","event":"\#(token)"\#($2)}"# }
        return try folder.write("events.json", file("events", forge, #"{"issuer":"i","audience":"a"}"#, cases))
    }

    private static func file(_ kind: String, _ forge: TokenForge, _ policy: String, _ cases: [String]) -> String {
        let shared = #""keys":{"keys":[\#(forge.jwk)]},"policy":\#(policy),"now":1700000100"#
        return #"{"kind":"\#(kind)",\#(shared),"cases":[\#(cases.joined(separator: ","))]}"#
    }

    @Test func anotherImplementationIsJudgedByItsAnswers() throws {
        let vectors = ["conformance", "vectors/valid-algorithms.json", "--implementation"]
        let refusesAll = "sed -u 's/.*\"id\":\"\\([^\"]*\\)\".*/{\"id\":\"\\1\",\"verdict\":\"invalid\"}/'"
        let outcome = try Command.assay(vectors + [refusesAll])
        #expect(outcome.output.contains("expected valid, got invalid"))
        #expect(outcome.exitCode == 1)
        #expect(try Command.assay(vectors + ["cat >/dev/null"]).output.contains("got no answer"))
        #expect(try Command.assay(vectors + ["exit 7"]).exitCode == 2)
    }
}
