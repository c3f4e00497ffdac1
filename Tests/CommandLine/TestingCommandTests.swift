import AssayTesting
import Foundation
import JWTTestSupport
import Testing

/// `keys new` and `sign`: the file of a private key, and tokens under it.
@Suite struct SignCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func newKey(_ name: String = "key.jwk", _ arguments: [String] = []) throws -> (path: String, set: Command.Outcome) {
        let path = "\(folder.path)/\(name)"
        return (path, try Command.assay(["keys", "new"] + arguments + [path], exits: 0))
    }

    @Test(arguments: ["ES256", "rs256", "EdDSA"]) func aTokenOfANewKeyIsValidUnderItsPublicSet(_ algorithm: String) throws {
        let (path, made) = try newKey("key.jwk", ["--algorithm", algorithm, "--kid", "mine"])
        let keys = try folder.write("keys.jwks", made.output)
        #expect(!made.output.contains("\"d\"") && made.errors.contains("for tests only"))
        let claims = #"{"iss":"https://idp.example","aud":"client-1"}"#
        let signed = try Command.assay(["sign", "--key", path, "--lifetime", "600", claims], exits: 0)
        #expect(signed.errors == "for tests only: this token is signed with a key from a file\n")
        let verify = ["verify", "--keys", keys, "--issuer", "https://idp.example", "--audience", "client-1"]
        let verified = try Command.assay(verify + ["--json"], input: signed.output, exits: 0)
        #expect(verified.output.contains(#""aud":"client-1""#) && verified.output.contains(#""exp":"#))
        #expect(try Command.assay(["inspect", "--json"], input: signed.output).output.contains(#""kid":"mine""#))
    }

    @Test func aProofIsForItsRequestAndItsToken() throws {
        let (client, _) = try newKey("client.jwk", ["--algorithm", "ES256"]), (server, set) = try newKey("server.jwk")
        let keys = try folder.write("keys.jwks", set.output), thumbprint = try TestKey(privateJWK: folder.read("client.jwk")).thumbprint
        let claims = #"{"iss":"https://idp.example","aud":"api","cnf":{"jkt":"\#(thumbprint)"}}"#
        let token = try Command.assay(["sign", "--key", server, "--lifetime", "600", claims], exits: 0).output
        let request = ["--method", "POST", "--url", "https://api.example/orders"]
        let proof = try Command.assay(["prove", "--key", client, "--nonce", "n-1"] + request, input: token, exits: 0)
        #expect(proof.errors == "for tests only: this proof is signed with a key from a file\n")
        let path = try folder.write("proof.txt", proof.output)
        let verify = ["verify", "--keys", keys, "--issuer", "https://idp.example", "--audience", "api", "--dpop-proof", path]
        _ = try Command.assay(verify + request, input: token, exits: 0)
        _ = try Command.assay(verify + ["--method", "GET", "--url", "https://api.example/orders"], input: token, exits: 1)
        #expect(try Command.assay(["prove", "--key", client] + request, input: "\n", exits: 2).errors.contains("--no-token"))
        _ = try Command.assay(["prove", "--key", client, "--no-token"] + request, exits: 0)
    }

    @Test func claimsAreSignedAsTheyAreGiven() throws {
        let (path, _) = try newKey()
        let claims = #"{ "b" : 1.50, "a":[1 ,2] }"#
        for outcome in [
            try Command.assay(["sign", "--key", path, claims], exits: 0),
            try Command.assay(["sign", "--key", path, "--type", "at+jwt"], input: "\n\(claims)\r\n", exits: 0),
        ] {
            let payload = try Command.assay(["verify", "--key", path, "--no-claims"], input: outcome.output, exits: 0)
            #expect(payload.output == claims)
        }
    }

    @Test func theSecretOfAnHMACIsInTheFileAlone() throws {
        let (path, made) = try newKey("secret.jwk", ["--algorithm", "HS256"])
        #expect(made.output == "{\"keys\":[]}\n" && made.errors.contains("HS256 has no public key"))
        let signed = try Command.assay(["sign", "--key", path, "--lifetime", "60", "{}"], exits: 0)
        _ = try Command.assay(["verify", "--key", path, "--algorithm", "HS256"], input: signed.output, exits: 0)
    }

    @Test func theFileOfAKeyIsItsOwnersAndIsNeverReplaced() throws {
        for umask in ["000", "077", "0777"] {
            let path = "\(folder.path)/umask-\(umask)"
            _ = try Command.shell("umask \(umask) && \(Command.line(["keys", "new", path]))", exits: 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int) == 0o600)
        }
        let (path, _) = try newKey()
        let before = folder.read("key.jwk")
        let again = try Command.assay(["keys", "new", path], exits: 2)
        #expect(again.output.isEmpty && again.errors.contains("File exists") && folder.read("key.jwk") == before)
    }

    @Test(arguments: ["640", "604", "620", "601", "777"]) func aKeyThatOthersMayUseSignsNothing(_ mode: String) throws {
        let (path, _) = try newKey()
        _ = try Command.shell("chmod \(mode) \(path)", exits: 0)
        let outcome = try Command.assay(["sign", "--key", path, "{}"], exits: 2)
        #expect(outcome.output.isEmpty && outcome.errors.contains("group or others may use the private key"))
    }

    @Test func whatIsNoKeyOrNoClaimsIsExitCode2() throws {
        let (path, made) = try newKey()
        let published = try folder.write("published.jwks", made.output)
        _ = try Command.shell("chmod 600 \(published)", exits: 0)
        let cases: [([String], String)] = [
            (["--key", "\(folder.path)/none", "{}"], "No such file"), (["--key", folder.path, "{}"], "is not a regular file"),
            (["--key", published, "{}"], "not a private JWK"), (["--key", path, "[]"], "not a JSON object"),
            (["--key", path, "{"], "not a JSON object"), (["--key", path, ""], "not a JSON object"),
            (["--key", path, "--lifetime", "0", "{}"], "--lifetime"),
        ]
        for (arguments, reason) in cases {
            let outcome = try Command.assay(["sign"] + arguments, exits: 2)
            #expect(outcome.output.isEmpty && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        let large = try folder.write("large", #"{"a":""# + String(repeating: "a", count: 70_000) + #""}"#)
        let refused = try Command.shell("\(Command.line(["sign", "--key", path])) <\(large)", exits: 2)
        #expect(refused.errors.contains("larger than 65536 bytes"))
    }

    @Test func anUnknownAlgorithmHasTheListOfKnownOnes() throws {
        let outcome = try Command.assay(["keys", "new", "--algorithm", "none", "\(folder.path)/key"], exits: 2)
        #expect(outcome.errors.contains("ES256") && folder.read("key").isEmpty)
    }

    @Test func aKeySetIsListedWithAndWithoutTheNameOfTheCommand() throws {
        let set = try folder.write("keys.jwks", newKey().set.output)
        let listed = try Command.assay(["keys", "list", set], exits: 0).output
        #expect(try listed.contains("ES256") && Command.assay(["keys", set], exits: 0).output == listed)
        #expect(try Command.assay(["keys", "--json", set], exits: 0).output.contains("\"usable\":true"))
    }

    @Test(arguments: [["sign"], ["prove"], ["provider"], ["keys", "new"]]) func helpSaysThatItIsForTests(_ command: [String]) throws {
        let help = try Command.assay(command + ["--help"], exits: 0).output
        #expect(help.contains("for tests") && help.contains("Example: ") && help.contains("assay \(command.joined(separator: " "))"))
    }
}

/// `provider`, by its lines.
@Suite struct ProviderCommandTests {
    private static func verdict(_ token: String, _ issuer: String) throws -> Int32 {
        try Command.assay(["verify", "--issuer", issuer, "--audience", "client-1"], input: token).exitCode
    }

    @Test func withoutItsFlagItDoesNotStart() throws {
        let outcome = try Command.assay(["provider"], exits: 2)
        #expect(outcome.output.isEmpty && outcome.errors.contains("--for-tests"))
    }

    @Test func eachLineHasItsAnswer() throws {
        let provider = try RunningCommand(["provider", "--for-tests"])
        let issuer = String(try provider.line(containing: "issuer http://127.0.0.1:").dropFirst("issuer ".count))
        func tell(_ command: String) throws -> String {
            try provider.write(command)
            return try provider.line(containing: "")
        }
        let old = try tell("token")
        #expect(try Self.verdict(old, issuer) == 0 && tell("requests") == "1")
        #expect(try tell("rotate") == "key-3" && tell("rotate") == "key-4")
        #expect(try Self.verdict(tell("token"), issuer) == 0 && Self.verdict(tell("token key-1"), issuer) == 0)
        #expect(try tell("remove key-2") == "key-2" && tell("remove key-2") == "no such key")
        #expect(try Self.verdict(old, issuer) == 1)
        #expect(try Self.verdict(tell(#"claims {"aud":"client-2"}"#), issuer) == 1)
        #expect(try tell("down") == "down" && Self.verdict(tell("token"), issuer) == 3)
        #expect(try tell("up") == "up" && Self.verdict(tell("token"), issuer) == 0)
        for command in ["token key-9", "claims x", "claims [1]", "dance", "", String(repeating: "x", count: 70_000)] {
            #expect(["no such key", "no such object", "no such command", "the command is too long"].contains(try tell(command)))
        }
        #expect(try !tell("token").isEmpty && provider.errors.contains("for tests only"))
    }

    @Test func itEndsWithItsInput() throws {
        let outcome = try Command.assay(["provider", "--for-tests"], input: "token\n", exits: 0)
        #expect(outcome.output.split(separator: "\n").count == 2)
    }
}
