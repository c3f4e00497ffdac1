import Gateway
import GatewayServer
import JWKSCache
import JWTCore
import JWTTestSupport
import Testing

@Suite struct VariableExpansionTests {
    private static let environment = [
        "PORT": "0", "REALM": "from outside", "MEGABYTES": "3", "FLAG": "false", "EMPTY": "", "_1": "one", "LINES": "a\nb", "TAB": "a\tb",
        "YAML": "{a: b} # no comment", "LARGE": String(repeating: "a", count: 65_537), "SECRET": "hunter2-is-no-issuer", "PIN": "0042",
        "WORD": "hunter2",
        "LONG": String(repeating: "long-", count: 100) + "secret", "HALF": String(repeating: "a", count: 65_536),
    ]

    private static func configuration(_ text: String) throws(SettingsFailure) -> ServiceConfiguration {
        try ServiceConfiguration(yaml: text, environment: environment)
    }

    private static func faults(_ text: String) -> [SettingsFault] {
        do throws(SettingsFailure) {
            _ = try configuration(text)
            return []
        } catch {
            return error.faults
        }
    }

    @Test(arguments: [
        ("${REALM}", "from outside"), ("\"${REALM}\"", "from outside"), ("'${REALM}'", "from outside"),
        ("a ${REALM} b", "a from outside b"),
        ("${_1}${_1}", "oneone"), ("${ABSENT:-other}", "other"), ("${EMPTY:-other}", "other"), ("${REALM:-other}", "from outside"),
        ("x${EMPTY:-}y", "xy"), ("$${REALM}", "${REALM}"), ("$$${REALM}", "$${REALM}"), ("$REALM $ {REALM} $}", "$REALM $ {REALM} $}"),
        ("a$${b ${_1}", "a${b one"), ("${ABSENT:-a:-b}", "a:-b"), (">-\n      ${_1}\n      x", "one x"),
        // A value is never more than a text.
        ("${YAML}", "{a: b} # no comment"),
        // Comments have no variables.
        ("api # ${ABSENT} ${", "api"),
    ])
    func aTextHasTheValue(text: String, realm: String) throws {
        let configuration = try Self.configuration(SampleConfiguration.replacing("realm: api", with: "realm: \(text)"))
        #expect(configuration.decisions.policies.first?.realm == realm)
    }

    /// A plain scalar of one variable is that of its value.
    @Test func aNumberAndAFlagMayBeVariables() throws {
        let text = SampleConfiguration.text.replacing("megabytes: 1", with: "megabytes: ${MEGABYTES}")
            .replacing("tcp: 127.0.0.1:0", with: "tcp: \"127.0.0.1:${PORT}\"")
            .replacing("audiences: [client-1]", with: "audiences: [\"${REALM}\", b]\n    required: ${FLAG}")
        let configuration = try Self.configuration(text)
        #expect(configuration.tokenCache.megabytes == 3 && configuration.listeners.map(\.place) == [.tcp("127.0.0.1:0")])
        let issuer = try #require(configuration.decisions.providers.first?.issuer)
        #expect(!issuer.isRequired && issuer.policy.audiences == ["from outside", "b"])
    }

    /// What has quotation marks is a text, and so is what has more than the variable.
    @Test(arguments: ["\"${MEGABYTES}\"", "${MEGABYTES}0", "1${EMPTY:-}${MEGABYTES}"])
    func aTextIsNoNumber(text: String) {
        #expect(Self.faults(SampleConfiguration.replacing("megabytes: 1", with: "megabytes: \(text)")).map(\.code) == [.wrongKind])
    }

    @Test(
        arguments: [
            ("${ABSENT}", .unknownName, "the variable `ABSENT` of the environment is not set"), ("${EMPTY}", .unknownName, "`EMPTY`"),
            ("${REALM", .invalidValue, "has no `}`"), ("x ${", .invalidValue, "has no `}`"),
            ("\"${}\"", .invalidValue, "a variable's name has"),
            ("${1A}", .invalidValue, "a variable's name has"), ("${A-B}", .invalidValue, "`${A-B}`"), ("${A:b}", .invalidValue, "`${A:b}`"),
            ("${é}", .invalidValue, "a variable's name has"), ("${ABSENT:-${REALM}}", .invalidValue, "a default has no variable"),
            ("${LINES}", .invalidValue, "the variable `LINES` has control characters"), ("${TAB}", .invalidValue, "`TAB`"),
            ("${LARGE}", .tooLarge, "the variable `LARGE` has more than 65536 bytes"),
            ("${" + String(repeating: "A", count: 100), .invalidValue, "has no `}`"),
        ] as [(String, SettingsFault.Code, String)])
    func aVariableThatIsNoneIsAFaultWithItsLine(text: String, code: SettingsFault.Code, words: String) throws {
        let faults = Self.faults(SampleConfiguration.replacing("realm: api", with: "realm: \(text)"))
        let fault = try #require(faults.first)
        #expect(faults.count == 1 && fault.code == code && fault.line == 21 && fault.text.contains(words), "\(faults)")
    }

    @Test func namesOfSettingsHaveNoVariables() {
        let faults = Self.faults(SampleConfiguration.replacing("realm: api", with: "${REALM}: api"))
        #expect(faults.map(\.code) == [.unknownSetting] && faults.allSatisfy { $0.text.contains("${REALM}") })
    }

    /// A small file could stand for a huge one.
    @Test func allTextsTogetherHaveALimit() {
        let scopes = Array(repeating: "\"${HALF}\"", count: 17).joined(separator: ", ")
        #expect(Self.faults(SampleConfiguration.replacing("realm: api", with: "scopes: [\(scopes)]")).map(\.code) == [.tooLarge])
    }

    /// Messages that repeat a text of the file, whole, cut, in other letters, or as another setting names it.
    @Test(arguments: [
        ("requires: idp", "requires: ${SECRET}", "there is no provider `${SECRET}`"), ("policy: api", "policy: ${SECRET}", "`${SECRET}`"),
        ("requires: idp", "requires: ${LONG}", "there is no provider `${LONG}`"),
        ("path: /", "path: /\n    methods: [\"${SECRET}\", \"geT${_1}\"]", "no method `geT${_1}`"),
        ("url: https://idp.example/jwks", "url: https://10.0.0.1/${SECRET}", "https://10.0.0.1/${SECRET} needs"),
        ("tcp: 127.0.0.1:0", "unix: /run/a.sock\n    owner: ${SECRET}", "no user `${SECRET}`"),
        ("audiences: [client-1]", "audiences: [client-1]\n    leewaySeconds: ${PIN}", "without a leading zero: ${PIN}"),
        ("audiences: [client-1]", "audiences: [client-1]\n    algorithms: [\"${SECRET}\"]", "`${SECRET}` is not"),
        ("tokenCache:", "transport: {authorities: \"/absent/${LONG}\"}\ntokenCache:", "/absent/${LONG} cannot be read"),
        ("tokenCache:", "include: \"/absent/${SECRET}\"\ntokenCache:", "there is no file /absent/${SECRET}"),
    ])
    func aFaultNamesTheVariableAndNotItsValue(old: String, new: String, words: String) {
        let faults = Self.faults(SampleConfiguration.replacing(old, with: new)), text = faults.map(\.description).joined()
        #expect(text.contains(words), "\(faults)")
        for value in ["hunter2", "HUNTER2", "long-", "42"] { #expect(!text.contains(value), "\(faults)") }
    }

    @Test(arguments: [
        ("claim: sub", "claim: a.${WORD}.b", "`/a.${WORD}.b`"),
        ("policies:", "policies:\n  - {name: \"${SECRET}\", requires: idp}", "policy ${"),
        ("url: https://idp.example/jwks", "file: ${SECRET}", "/${SECRET} is not there"),
    ])
    func aWarningNamesTheVariableAndNotItsValue(old: String, new: String, words: String) throws {
        let warnings = try Self.configuration(SampleConfiguration.replacing(old, with: new)).checkFiles()
        #expect(warnings.contains { $0.text.contains(words) }, "\(warnings)")
        #expect(!warnings.contains { $0.text.contains("hunter2") }, "\(warnings)")
    }

    /// A message has 600 characters: this one ends within the value.
    @Test func aMessageThatIsCutHasNoPartOfAValue() throws {
        func listener(_ name: String) -> String { "  - {name: \"\(name)\", profile: nginx, tcp: \"127.0.0.1:0\"}\n" }
        let names = (1...9).map { "\($0)" + String(repeating: "n", count: 58) }
        let text = SampleConfiguration.replacing(
            "administration:", with: (names + ["${SECRET}"]).map(listener).joined() + "administration:"
        )
        .replacing("  - name: edge\n    profile: nginx\n    tcp: 127.0.0.1:0\n", with: "")
        .replacing("- authorization: Bearer", with: "- authorization: Bearer\n    forwardToken: false")
        let warning = try #require(try Self.configuration(text).checkFiles().first { $0.text.contains("behind 1n") })
        #expect(warning.text.hasSuffix(", ${SECRET}"), "\(warning)")
    }

    /// A word of a message that happens to be a value stays.
    @Test func theNameOfASettingIsNoValue() {
        let text = SampleConfiguration.replacing("realm: api", with: "realm: ${ABSENT:-scopes}\n    scopes: [\"two words\"]")
        #expect(
            Self.faults(text).map(\.text) == [
                "`policies[1].scopes`: a scope has no spaces, quotation marks and backslashes (RFC 6749 section 3.3)"
            ])
    }
}
