import AssayTesting
import Foundation
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// Text from tokens, documents and servers never moves the cursor, changes colours or reverses text.
@Suite struct PrintableTextTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)

    init() throws { folder = try TemporaryFolder() }

    /// Contains C0, DEL, C1, marks and overrides for bidirectional text, separators, and format characters of one and two UTF-16 units.
    static let hostile: [Unicode.Scalar] = [
        "\u{7}", "\u{d}", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}", "\u{2029}", "\u{202e}",
        "\u{2066}", "\u{feff}", "\u{e0001}",
    ]
    static let text = "a" + String(String.UnicodeScalarView(hostile)) + "b"
    /// `text` within a JSON string, with only the escapes that JSON requires.
    private static let json = hostile.reduce("a") { $0 + ($1.value < 0x20 ? String(format: "\\u%04x", $1.value) : String($1)) } + "b"

    static func expectHarmless(_ outcome: Command.Outcome, shows escape: String = "\\u0007", _ location: SourceLocation = #_sourceLocation)
    {
        let printed = outcome.output + outcome.errors
        let acting = printed.unicodeScalars.filter {
            $0 != "\n" && [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        #expect(acting.isEmpty, "\(acting.map(\.value))", sourceLocation: location)
        #expect(printed.contains(escape), "\(printed)", sourceLocation: location)
    }

    @Test(arguments: [["inspect"], ["inspect", "--json"], ["verify"], ["verify", "--json"], ["verify", "--json", "--no-claims"]])
    func claimsAreEscaped(_ command: [String]) throws {
        let keys = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")
        // A carriage return between members is white space in JSON, but moves a terminal's cursor to the start of the line.
        let token = forge.token("{\"exp\":9000000000,\"sub\":\"\(Self.json)\",\r\"\(Self.json)\":1}")
        let outcome = try Command.assay(command + (command[0] == "verify" ? ["--keys", keys, token] : [token]), exits: 0)
        Self.expectHarmless(outcome)
        guard command.contains("--json"), !command.contains("--no-claims") else { return }
        let document = try #require(JSONSerialization.jsonObject(with: Data(outcome.bytes)) as? [String: Any])
        #expect((document["claims"] as? [String: Any])?["sub"] as? String == Self.text)
    }

    @Test func keysAreEscapedAndCut() throws {
        let long = String(repeating: "A", count: 10_000), marks = "e" + String(repeating: "\u{301}", count: 50_000)
        var keys = Self.hostile.map { scalar in
            let name = scalar.value < 0x20 ? String(format: "a\\u%04x", scalar.value) : "a\(scalar)"
            return #"{"kty":"EC","kid":"\#(name)","crv":"\#(name)","alg":"\#(name)","use":"\#(name)"}"#
        }
        keys += [#"{"kty":"EC","kid":"\#(long)","crv":"\#(long)"}"#, #"{"kty":"\#(long)","kid":"\#(marks)"}"#]
        let file = try folder.write("hostile.json", "{\"keys\":[\(keys.joined(separator: ","))]}")
        let table = try Command.assay(["keys", file], exits: 0)
        Self.expectHarmless(table)
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 1 + keys.count && lines.allSatisfy { $0.utf8.count < 640 })
        let document = try Command.assay(["keys", "--json", file])
        Self.expectHarmless(document)
        let object = try #require(JSONSerialization.jsonObject(with: Data(document.bytes)) as? [String: Any])
        #expect((object["keys"] as? [[String: Any]])?.last?["kid"] as? String == marks)
    }

    @Test func vectorsAreEscaped() throws {
        let case_ = #"{"id":"\#(Self.json)","token":"a.b","expect":"\#(Self.json)"}"#
        let file = try folder.write("mine.json", #"{"keys":{"keys":[]},"policy":{"\#(Self.json)":1},"now":1,"cases":[\#(case_)]}"#)
        for more in [[], ["--json"]] {
            let outcome = try Command.assay(["conformance", file] + more, exits: 1)
            Self.expectHarmless(outcome)
        }
    }

    @Test(arguments: [["keys", Self.text], ["conformance", Self.text], ["inspect", "--\(Self.text)"]])
    func argumentsInMessagesAreEscaped(_ arguments: [String]) throws {
        let outcome = try Command.assay(arguments, exits: 2)
        Self.expectHarmless(outcome)
    }

    // Answers of a server

    @Test(arguments: [[], ["--json"]]) func refusalsOfATenantAreEscaped(_ more: [String]) throws {
        let server = try LoopbackServer { _ in
            .status(
                400, [("Content-Type", "application/json")],
                body: Array(#"{"error_code":"\#(Self.json)","error_msg":"\#(Self.json)"}"#.utf8))
        }
        let outcome = try Command.assay(
            ["login", "sms", "--domain", server.url(""), "--client", "c", "--mobile", "13800000000", "--store", folder.path + "/store"]
                + more)
        #expect(outcome.exitCode == 1)
        Self.expectHarmless(outcome)
    }

    @Test(arguments: [[], ["--json"]]) func namesOfDevicesAreEscaped(_ more: [String]) throws {
        let server = try LoopbackServer { _ in .json(#"{"sessions":[{"id":"1","device_name":"\#(Self.json)"}]}"#) }
        let session =
            #"{"sessionToken":"s","idToken":"i","renewedAt":1700000000,"idTokenExpiresAt":9000000000,"clientID":"c","domain":"\#(server.url(""))"}"#
        let store = try folder.write("store", #"{"session":\#(session)}"#)
        let outcome = try Command.shell("chmod 600 \(store) && \(Command.line(["session", "list", "--store", store] + more))", exits: 0)
        Self.expectHarmless(outcome)
    }

    // Payloads

    /// `ff fe` is not UTF-8, and a payload may lack a line end.
    @Test(arguments: [[0xff, 0xfe], [], Array("a\u{1b}[2J\u{9b}".utf8), Array("two\nlines\n".utf8)] as [[UInt8]])
    func aPayloadIsWrittenAsItIs(_ payload: [UInt8]) throws {
        let (keys, token) = try signed(payload)
        let outcome = try Command.assay(["verify", "--keys", keys, "--no-claims", token])
        #expect(outcome.exitCode == 0 && outcome.bytes == payload)
    }

    @Test func aPayloadOnATerminalIsEscaped() throws {
        let (keys, token) = try signed(Array("a\u{7}\u{1b}[2J\u{9b}\tb".utf8))
        let terminal = "python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))'"
        let outcome = try Command.shell("\(terminal) \(Command.line(["verify", "--keys", keys, "--no-claims", token]))")
        #expect(outcome.output == "a\\u0007\\u001b[2J\\u009b\tb\r\n")
    }

    @Test func aPayloadThatIsNoTextIsBase64URLInJSON() throws {
        let (keys, token) = try signed([0xff, 0xfe])
        let outcome = try Command.assay(["verify", "--keys", keys, "--no-claims", "--json", token])
        #expect(outcome.output.hasSuffix(#","payload_base64url":"__4"}"# + "\n"))
    }

    private func signed(_ payload: [UInt8]) throws -> (keys: String, token: String) {
        let token = try #require(forge.signer.token(header: #"{"alg":"ES256","kid":"test-key"}"#, payload: payload))
        return (try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}"), token)
    }
}

/// Key files have the same size limits as fetched documents.
@Suite struct KeyFileTests {
    private let folder: TemporaryFolder
    private let forge = TokenForge(.es256)

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [262_144, 262_145]) func aFileOfKeysIsReadUpToTheLimit(_ bytes: Int) throws {
        let set = "{\"keys\":[\(forge.jwk)]}"
        let file = try folder.write("keys.json", set + String(repeating: " ", count: bytes - set.utf8.count))
        let isTooLarge = bytes > KeySet.maximumBytes
        for arguments in [
            ["keys", file], ["verify", "--no-claims", "--keys", file, forge.token()],
            ["verify", "--no-claims", "--key", file, forge.token()],
        ] {
            let outcome = try Command.assay(arguments)
            #expect(outcome.exitCode == (isTooLarge ? 3 : 0))
            #expect(outcome.errors == (isTooLarge ? "keys_unavailable: \(file) is larger than 262144 bytes\n" : ""))
        }
    }

    @Test func aPipeOfKeysIsReadUpToTheLimit() throws {
        let file = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}")
        #expect(try Command.shell("\(Command.line(["keys"])) <(cat \(file))").exitCode == 0)
        #expect(try Command.shell("\(Command.line(["keys"])) /dev/zero").errors.hasSuffix(" is larger than 262144 bytes\n"))
    }
}
