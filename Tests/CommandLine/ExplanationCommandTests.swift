import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// What a person at a terminal learns of a refusal, and of a token that is valid.
@Suite struct ExplanationCommandTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        verify = ["verify", "--keys", try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}"), "--at", "1700000100"]
    }

    @Test(arguments: [
        (#"{"exp":1700000000}"#, [], "it expired 100 s ago; the leeway is 60 s"),
        (#"{"iss":"https://idp.example/","exp":1700003600}"#, ["--issuer", "https://idp.example"], "differs only by the slash at its end"),
        (#"{"aud":"b","exp":1700003600}"#, ["--audience", "a"], #"the policy expects "a"; it is for "b""#),
        (#"{"exp":"tomorrow"}"#, [], "exp is a string; RFC 7519 wants a number"),
        (#"{"exp":1700003600000}"#, [], "years ahead: milliseconds?"),
    ]) func aRefusalSaysWhatTheTokenHas(_ payload: String, _ options: [String], _ sentence: String) throws {
        let token = forge.token(payload)
        let text = try Command.assay(verify + options, input: token, exits: 1)
        #expect(text.output.isEmpty && text.errors.contains(sentence), "\(text.errors)")
        let document = try Command.assay(verify + options + ["--json"], input: token, exits: 1)
        let members = try #require(JSONSerialization.jsonObject(with: Data(document.bytes)) as? [String: Any])
        #expect((members["explanation"] as? String)?.contains(sentence) == true && members["code"] != nil)
    }

    /// Without a valid signature, the claims are words of whoever made the token.
    @Test func aForgedTokenIsNotExplained() throws {
        let outcome = try Command.assay(verify, input: TokenForge(.es256).token(#"{"exp":"soon"}"#), exits: 1)
        #expect(outcome.errors == "refused signature_invalid: the signature does not verify\n")
    }

    @Test(arguments: ["verify", "inspect"]) func whatStandsAroundATokenIsNamed(_ command: String) throws {
        let token = forge.token(), arguments = command == "verify" ? verify : [command]
        for (text, sentence) in [
            ("Bearer \(token)", "begins with `Bearer`"), ("\"\(token)\"", "stands in quotes"), ("'\(token)'\n", "stands in quotes"),
            (token.replacing(".", with: ".\n  "), "is broken over lines"),
        ] {
            #expect(try Command.assay(arguments, input: text, exits: 1).errors.contains(sentence))
        }
    }

    /// RFC 7519 section 4.1.3.
    @Test(arguments: [
        ([], "not checked: the issuer (--issuer) and the audience (--audience)\n"),
        (["--issuer", "https://idp.example"], "not checked: the audience (--audience)\n"),
        (["--audience", "client-1"], "not checked: the issuer (--issuer)\n"),
        (["--issuer", "https://idp.example", "--audience", "client-1"], ""),
    ]) func aValidTokenSaysWhatWasNotChecked(_ options: [String], _ sentence: String) throws {
        #expect(try Command.assay(verify + options, input: forge.token(), exits: 0).errors == sentence)
        let batch = try Command.assay(verify + options + ["--batch", "-"], input: forge.token(), exits: 0)
        #expect(batch.errors == "1 token: 1 valid, 0 refused\n" + sentence)
        #expect(try Command.assay(verify + options + ["--batch", "-", "--quiet"], input: forge.token(), exits: 0).errors.isEmpty)
    }

    /// Only verified tokens end in 0.
    @Test(arguments: [[], ["--json"], ["--quiet"]]) func aBatchWithoutATokenIsWrongUsage(_ more: [String]) throws {
        let outcome = try Command.assay(verify + ["--batch", "-"] + more, exits: 2)
        #expect(outcome.errors.hasSuffix("Error: no token in the batch\n"))
    }

    /// Of `010` others read eight.
    @Test(arguments: ["010", "+5", " 5", "5 ", "0x10", "1e3", "\u{661}", "-1", "", "9223372036854775808"])
    func aNumberHasOneSpelling(_ text: String) throws {
        for option in ["--leeway", "--jobs"] {
            _ = try Command.assay(verify + ["--batch", "-", "\(option)=\(text)"], input: forge.token(), exits: 2)
        }
    }

    // Surroundings

    @Test(arguments: ["openssI", "OPENSSL", "none", " openssl"]) func anUnknownTierIsWrongUsage(_ word: String) throws {
        for line in [Command.line(verify), Command.line(["inspect"]), Command.line("bench", ["--quick", "--only", "hs256.single"])] {
            let outcome = try Command.shell("ASSAY_ENGINE=\(Shell.quoted(word)) \(line) </dev/null", exits: 2)
            #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("Error: ASSAY_ENGINE is \"\(word)\", which is not one of openssl,"))
        }
    }

    /// The process is at fault, not the key.
    @Test(arguments: [
        "openssl_conf=i\n[i]\nproviders=p\nalg_section=a\n[p]\ndefault=d\n[d]\nactivate=1\n[a]\ndefault_properties=fips=yes\n",
        "openssl_conf=i\n[i]\nproviders=p\n[p]\nnowhere=d\nnull=d\n[d]\nactivate=1\n",
    ]) func aLibcryptoWithoutAlgorithmsIsNamed(_ configuration: String) throws {
        let file = try folder.write("openssl.cnf", configuration), token = try folder.write("token", forge.token())
        for arguments in [verify, verify + ["--batch", "-"], ["keys", verify[2]]] {
            let outcome = try Command.shell("OPENSSL_CONF=\(file) \(Command.line(arguments)) <\(token)", exits: 3)
            #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("keys_unavailable: libcrypto has no SHA-256, RSA or EC"))
        }
        #expect(try Command.shell("OPENSSL_CONF=\(file) \(Command.line(["inspect"])) <\(token)", exits: 0).output.contains("UNVERIFIED"))
    }
}
