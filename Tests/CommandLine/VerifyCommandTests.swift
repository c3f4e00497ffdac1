import Foundation
import JWTCore
import JWTDecryption
import JWTTestSupport
import Testing

import struct AssayTesting.TestRecipient

@Suite struct VerifyCommandTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let keys: String

    init() throws {
        folder = try TemporaryFolder()
        keys = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")
    }

    private var arguments: [String] {
        ["verify", "--keys", keys, "--issuer", "https://idp.example", "--audience", "client-1", "--now", "1700000100"]
    }

    @Test func aValidTokenPrintsItsClaims() throws {
        let outcome = try Command.assay(arguments + [forge.token()], exits: 0)
        #expect(outcome.output.contains("\"sub\": \"248289761001\""))
        #expect(outcome.errors.isEmpty)
        #expect(!outcome.output.contains("\u{1b}"), "a pipe gets no colour")
    }

    @Test(arguments: [[], ["-"]]) func theTokenComesFromStandardInput(_ more: [String]) throws {
        #expect(try Command.assay(arguments + more, input: forge.token() + "\n").exitCode == 0)
    }

    @Test func aRefusedTokenSaysWhyInOneLine() throws {
        let outcome = try Command.assay(arguments + [forge.token().replacing("eyJpc3M", with: "eyJpc3N")], exits: 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "refused signature_invalid: the signature does not verify\n")
    }

    @Test func aRefusalTellsThePlaceWhereThereIsOne() throws {
        let outcome = try Command.assay(arguments + ["e30.e3\u{21}.AA"])
        #expect(outcome.errors.contains("invalid_base64url") && outcome.errors.contains("(at byte 6)"))
    }

    @Test func jsonIsOneDocument() throws {
        let good = try Command.assay(arguments + ["--json", forge.token()])
        let object = try #require(JSONSerialization.jsonObject(with: Data(good.output.utf8)) as? [String: Any])
        #expect(object["valid"] as? Bool == true)
        let bad = try Command.assay(arguments + ["--json", "a.b"])
        let refusal = try #require(JSONSerialization.jsonObject(with: Data(bad.output.utf8)) as? [String: Any])
        #expect(refusal["code"] as? String == "malformed_token")
        #expect(refusal["number"] as? Int == 101)
        #expect(bad.exitCode == 1)
    }

    @Test func aBatchPrintsALineForEachTokenInOrder() throws {
        let lines = [forge.token(), "a.b", "", forge.token(header: #"{"alg":"none"}"#)]
        let outcome = try Command.assay(arguments + ["--batch", "-"], input: lines.joined(separator: "\n") + "\n")
        #expect(outcome.output == "valid\nmalformed_token\nmalformed_token\nunsecured_token\n")
        #expect(outcome.exitCode == 1)
        #expect(try Command.assay(arguments + ["--batch", "-"], input: forge.token()).exitCode == 0)
    }

    @Test func anEncryptedTokenNeedsItsKey() throws {
        let recipient = try TestRecipient(.ecdhES), token = try recipient.encrypted(forge.token())
        let path = try folder.write("client.jwk", recipient.privateJWK)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try Command.assay(arguments + ["--decryption-key", path, token], exits: 2).errors.contains("chmod 600"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let withKey = arguments + ["--decryption-key", path]
        #expect(try Command.assay(withKey + [token], exits: 0).output.contains("\"sub\": \"248289761001\""))
        #expect(try Command.assay(arguments + [token], exits: 1).errors.contains("encrypted_token"))
        #expect(try Command.assay(withKey + [forge.token()], exits: 1).errors.contains("unencrypted_token"))
        let batch = try Command.assay(withKey + ["--batch", "-"], input: "\(token)\na.b\n\(forge.token())\n")
        #expect(batch.output == "valid\nmalformed_token\nunencrypted_token\n")
    }

    @Test func aSymmetricAlgorithmHasToBeNamed() throws {
        let forge = TokenForge(.hs256)
        let keys = try folder.write("oct.json", "{\"keys\":[\(forge.jwk)]}")
        let arguments = ["verify", "--keys", keys, "--now", "1700000100", forge.token()]
        #expect(try Command.assay(arguments).errors.contains("algorithm_not_allowed"))
        #expect(try Command.assay(arguments + ["--algorithm", "HS256"]).exitCode == 0)
    }

    @Test func aPayloadThatIsNoClaimsNeedsNoClaims() throws {
        let token = forge.token(header: #"{"alg":"ES256","kid":"test-key"}"#, payload: "hello")
        #expect(try Command.assay(["verify", "--keys", keys, token]).errors.contains("invalid_json"))
        let outcome = try Command.assay(["verify", "--keys", keys, "--no-claims", token])
        #expect(outcome.output == "hello")
        #expect(outcome.exitCode == 0)
    }

    @Test(arguments: [
        ["verify"], ["verify", "--keys", "a", "--key", "b", "t"], ["verify", "--keys", "k", "--algorithm", "XX", "t"], ["nonsense"],
        ["verify", "--keys", "k", "--leeway", "-1", "t"], ["conformance"], ["conformance", "no-such-file"], ["keys"],
    ])
    func wrongUsageIsExitCode2(_ arguments: [String]) throws {
        let outcome = try Command.assay(arguments, exits: 2)
        #expect(!outcome.errors.isEmpty)
    }

    @Test(arguments: [("no-such-file", 2), ("Sources", 2), ("README.md", 3)] as [(String, Int32)])
    func aFileThatCannotBeReadIsExitCode2AndOneWithoutKeysIs3(_ place: String, _ exitCode: Int32) throws {
        for option in ["--keys", "--key"] { #expect(try Command.assay(["verify", option, place, "a.b.c"]).exitCode == exitCode) }
        #expect(try Command.assay(["keys", place]).exitCode == exitCode)
    }

    @Test(arguments: [[], ["verify"], ["inspect"], ["keys"], ["conformance"]]) func helpShowsAnExample(_ command: [String]) throws {
        let outcome = try Command.assay(command + ["--help"], exits: 0)
        #expect(outcome.output.contains("xample: assay"))
    }
}
