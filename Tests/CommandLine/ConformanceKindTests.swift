import Foundation
import JWTTestSupport
import Testing

/// Vectors of requests with proofs and of encrypted tokens: what is wrong is named, and another implementation is asked.
@Suite struct ConformanceKindTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(ConformanceFolder.repository)/vectors/\(path)", encoding: .utf8)
    }

    @Test func aWrongVerdictOnARequestIsNamed() throws {
        let good = try Self.text("dpop/good.json")
        let wrong = good.replacingOccurrences(
            of: #""id": "proof-plain", "expect": "valid""#, with: #""id": "proof-plain", "expect": "expired""#)
        #expect(wrong != good)
        let outcome = try Command.assay(["conformance", try folder.write("good.json", wrong)], exits: 1)
        #expect(outcome.output == "FAIL good.json proof-plain: expected expired, got valid\n12 passed, 1 failed\n")
    }

    @Test func aWrongContentIsNamed() throws {
        let good = try Self.text("encrypted/rfc-examples.json")
        let wrong = good.replacingOccurrences(of: #""content": "The true sign"#, with: #""content": "A true sign"#)
        #expect(wrong != good)
        let outcome = try Command.assay(["conformance", try folder.write("examples.json", wrong)], exits: 1)
        #expect(outcome.output.contains("FAIL examples.json jwe-example-rfc7516-a1: expected A true sign of "))
        #expect(outcome.output.hasSuffix("7 passed, 1 failed\n"))
    }

    @Test func anotherImplementationIsAskedAboutBoth() throws {
        let answers = [
            #"{"id":"proof-plain","verdict":"valid"}"#, #"{"id":"proof-post","verdict":"invalid"}"#,
            #"{"id":"jwe-limit-header-2-mb","verdict":"invalid"}"#, #"{"id":"jwe-example-rfc7516-a1","verdict":"valid","content":"x"}"#,
            #"{"id":"jwe-example-rfc7520-5-2","verdict":"valid"}"#,
        ]
        let file = try folder.write("answers", answers.joined(separator: "\n") + "\n")
        let files = ["dpop/good.json", "encrypted/limits.json", "encrypted/rfc-examples.json"].map { "vectors/\($0)" }
        let command = "cat >'\(folder.path)/questions'; cat '\(file)'"
        let outcome = try Command.assay(["conformance"] + files + ["--implementation", command], exits: 1)
        #expect(outcome.output.contains("FAIL good.json proof-post: expected valid, got invalid\n"))
        #expect(outcome.output.contains("FAIL rfc-examples.json jwe-example-rfc7516-a1: expected The true sign "))
        #expect(outcome.output.contains("FAIL limits.json jwe-limit-depth: expected invalid, got no answer\n"))
        #expect(outcome.output.hasSuffix("3 passed, 29 failed\n"))
        let questions = folder.read("questions").split(separator: "\n")
        #expect(questions.filter { $0.contains(#""kind":"dpop""#) && $0.contains(#""proofs":["#) }.count == 13)
        #expect(questions.filter { $0.contains(#""kind":"encrypted""#) && $0.contains(#""decryption_keys":{"#) }.count == 19)
        // What repeats is whole, and an answer is not in its question.
        #expect(questions.contains { $0.contains("jwe-limit-header-2-mb") && $0.utf8.count > 2_000_000 })
        #expect(questions.allSatisfy { !$0.contains(#""repeat""#) && !$0.contains(#""content""#) && !$0.contains(#""expect""#) })
    }
}
