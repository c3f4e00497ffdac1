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
            #expect(folder.read("questions").hasPrefix("{\"now\":\(now),") && folder.read("questions").hasSuffix("}\n"))
        }
    }

    @Test(arguments: [
        (#"{"keys":{},"cases":[],"policy":{}}"#, "the member now is missing"),
        (#"{"keys":{},"cases":[{"id":1}],"policy":{},"now":1}"#, "the member cases.0.id has another type"),
        (#"{"keys":{},"cases":[],"policy":{},"now":1e40}"#, "now is no date"),
    ])
    func aFileOfAnotherFormHasASentence(_ text: String, _ sentence: String) throws {
        let file = try folder.write("mine.json", text)
        #expect(try Command.assay(["conformance", file], exits: 2).errors == "Error: \(file): \(sentence)\n")
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
