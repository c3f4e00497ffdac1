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
