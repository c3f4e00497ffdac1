import Foundation
import JWTTestSupport
import Testing

/// A conformance run that does not end with 0 says why, in words and as a document; and it leaves out nothing that it cannot read.
@Suite struct ConformanceFailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("issuer.json", Self.text("issuer.json"))
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(ConformanceFolder.repository)/vectors/\(name)", encoding: .utf8)
    }

    private static let nothingToCompare = "nothing to run: no case has a signature that the kernels of the tables tier verify"

    @Test(arguments: ["cache", "jwks", "hmac.json"]) func casesWithoutASignatureForTheKernelsAreNamed(_ place: String) throws {
        let arguments = ["conformance", "--engine", "tables", "vectors/\(place)"]
        let outcome = try Command.assay(arguments, exits: 1)
        #expect(outcome.errors == "Error: \(Self.nothingToCompare)\n")
        #expect(outcome.output.hasPrefix("tables: 0 verdicts by kernels, OpenSSL contradicted 0\n"))
        let summary = try document(arguments, exits: 1)
        #expect(summary["code"] as? String == "nothing_to_run" && summary["reason"] as? String == Self.nothingToCompare)
        #expect(summary["failed"] as? Int == 0)
    }

    @Test(arguments: ["openssl", "tables"]) func theDocumentCountsTheVerdictsOfTheKernels(_ tier: String) throws {
        let summary = try document(["conformance", "--engine", tier, folder.path], exits: 0)
        let engine = try #require(summary["engine"] as? [String: Any])
        #expect(engine["tier"] as? String == tier && engine["contradicted"] as? Int == 0)
        #expect((engine["compared"] as? Int ?? 0 > 0) == (tier == "tables"))
        #expect(summary["code"] == nil)
    }

    @Test func aFailedCaseIsTheReason() throws {
        let wrong = try Self.text("issuer.json").replacing(#""expect": "valid""#, with: #""expect": "expired""#, maxReplacements: 1)
        let arguments = ["conformance", try folder.write("issuer.json", wrong)]
        #expect(try Command.assay(arguments, exits: 1).errors == "Error: 1 case failed\n")
        let summary = try document(arguments, exits: 1)
        #expect(summary["code"] as? String == "failed" && summary["reason"] as? String == "1 case failed")
    }

    @Test func anotherImplementationHasNoKernels() throws {
        let outcome = try Command.assay(["conformance", "--engine", "tables", "--implementation", "true", folder.path], exits: 2)
        #expect(outcome.errors.contains("--engine chooses kernels of Assay"))
    }

    /// A run that leaves out what it cannot read passes with fewer cases.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem")), arguments: [false, true])
    func aFileThatCannotBeReadIsNotLeftOut(inASuite: Bool) throws {
        if inASuite { _ = try folder.write("n_structure_no_data.json", "") }
        // Its first byte cannot be read, not even by root.
        try link("y_unreadable.json", to: "/proc/self/mem")
        let outcome = try Command.assay(["conformance", folder.path], exits: 2)
        #expect(outcome.errors == "Error: cannot read \(folder.path)/y_unreadable.json: Input/output error\n")
    }

    @Test func aPathThatIsNoneIsExplainedAsTheSystemDoes() throws {
        try link("circle.json", to: "circle.json")
        let circle = "\(folder.path)/circle.json", below = "\(folder.path)/issuer.json/below"
        let reasons = [(circle, "Too many levels of symbolic links"), (below, "Not a directory")]
        for (path, reason) in reasons {
            #expect(try Command.assay(["conformance", path], exits: 2).errors == "Error: cannot read \(path): \(reason)\n")
        }
    }

    private func link(_ name: String, to place: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: place)
    }

    private func document(_ arguments: [String], exits code: Int32) throws -> [String: Any] {
        let outcome = try Command.assay(arguments + ["--json"], exits: code)
        return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }
}
