import Foundation
import Gateway
import GatewayServer
import JWTTestSupport
import Testing

@Suite struct SettingsFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let line: Int
        let code: SettingsFault.Code
        let text: String
        var testDescription: String { "\(code.rawValue): \(new.prefix(40))" }

        init(_ old: String, _ new: String, _ line: Int, _ code: SettingsFault.Code, _ text: String) {
            self.old = old
            self.new = new
            self.line = line
            self.code = code
            self.text = text
        }
    }

    static func faults(of text: String) -> [SettingsFault] {
        do {
            _ = try ServiceConfiguration(yaml: text)
            return []
        } catch {
            return error.faults
        }
    }

    @Test func theSampleHasNone() { #expect(Self.faults(of: SampleConfiguration.text) == []) }

    @Test(arguments: [
        Fault("issuer:", "issuerr:", 9, .unknownSetting, "`providers[1].issuerr`: no such setting; did you mean `issuer`?"),
        Fault("listeners:", "Listners:", 1, .unknownSetting, "did you mean `listeners`?"),
        Fault("policy: api", "policyName: api", 24, .unknownSetting, "did you mean `policy`?"),
        Fault("profile: nginx", "profile: ngnix", 3, .invalidValue, "did you mean `nginx`?"),
        Fault("requires: idp", "requires: ipd", 20, .unknownName, "there is no provider `ipd`; did you mean `idp`?"),
        Fault("policy: api", "policy: app", 24, .unknownName, "did you mean `api`?"),
        Fault("audiences: [client-1]", "anyAudience: true\n    tokens: id-token", 10, .conflict, "need `audiences`"),
        Fault("path: /", "path:", 23, .wrongKind, "has no value"), Fault("path: /", "exact: ", 23, .wrongKind, "has no value"),
        Fault("realm: api", "scopes:", 21, .wrongKind, "has no value"), Fault("realm: api", "scopes: ~", 21, .wrongKind, "has no value"),
        Fault("log:", "revocations:\nlog:", 27, .wrongKind, "has no value"),
        Fault("audiences: [client-1]", "leewaySeconds: 5", 8, .missingSetting, "anyAudience"),
        Fault("tcp: 127.0.0.1:0", "tcp: nowhere", 4, .invalidValue, "127.0.0.1:9191"),
        Fault("tcp: 127.0.0.1:0", "tcp: gateway.example:80", 4, .invalidValue, "an IP address or localhost"),
        Fault("name: edge", "name: \"ed ge\"", 2, .invalidValue, "letters, digits"),
        Fault("administration:", "administration:\n  hosts: [\"http://assay\"]", 6, .invalidValue, "names of hosts"),
        Fault("tcp: 127.0.0.1:0", "unix: /run/a.sock\n    mode: \"0999\"", 5, .invalidValue, "octal digits"),
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    mode: \"0660\"", 5, .conflict, "unix"),
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    unix: /run/a.sock", 5, .conflict, "only one of"),
        Fault("url: https://idp.example/jwks", "url: http://idp.example/jwks", 12, .invalidValue, "https URL"),
        Fault("url: https://idp.example/jwks", "url: https://user:secret@idp.example/", 12, .invalidValue, "https URL"),
        Fault("authorization: Bearer", "bearer: x", 14, .unknownSetting, "no such setting"),
        Fault("header: x-user", "header: \"x user\"", 16, .invalidValue, "header field"),
        Fault("realm: api", "realm: 'a\"b'", 21, .invalidValue, "quotation marks"),
        Fault("realm: api", "shadow: api", 21, .cycle, "leads back"),
        Fault("realm: api", "shadow: other", 21, .unknownName, "there is no policy"),
        Fault("realm: api", "scopes: [\"two words\"]", 21, .invalidValue, "scope"),
        Fault("path: /", "path: api", 23, .invalidValue, "a path from /"),
        Fault("megabytes: 1", "megabytes: many", 26, .wrongKind, "whole number"),
        Fault("megabytes: 1", "megabytes: 99999999", 26, .invalidValue, "between 0 and"),
        Fault("level: info", "level: inf", 28, .invalidValue, "did you mean `info`?"),
        Fault("level: info", "level: [info]", 28, .wrongKind, "a text is expected"),
        Fault("routes:\n  - path: /", "routes:\n  - &r path: /", 23, .unsupportedYAML, "anchors and aliases"),
        Fault("level: info", "level: *x", 28, .unsupportedYAML, "anchors and aliases"),
        Fault("level: info", "level: !!str info", 28, .unsupportedYAML, "tags"),
        // Quotations that are none, or that go on, hide nothing.
        Fault("level: info", "level: [\"in\n    # fo\", &a all]", 29, .unsupportedYAML, "anchors and aliases"),
        Fault("level: info", "level: [a - 'b, &c d']", 28, .unsupportedYAML, "anchors and aliases"),
        // Lines of YAML that no editor shows: a comment would end in its middle.
        Fault("level: info", "level: info # a\u{85}  access: none", 28, .unsupportedYAML, "line break"),
        Fault("level: info", "level: info # a\u{2028}  access: &a none", 28, .unsupportedYAML, "line break"),
        Fault("level: info", "level: info # a\r  access: *a", 28, .unsupportedYAML, "line break"),
        // Names come from the file, and a terminal obeys some characters.
        Fault("requires: idp", "requires: \"\\e[2J\\u2028\"", 20, .unknownName, "no provider `?[2J?`"),
        Fault("url: https", "\"\\u0007\": a\n      url: https", 12, .unknownSetting, "keys.?`"),
        Fault("level: info", "level: info\n  level: debug", 0, .repeatedName, "set twice"),
        Fault("level: info", "level: \"info", 0, .notYAML, "not YAML"),
        Fault("path: /", "path: /a/../b", 23, .invalidValue, "no second reading"),
        Fault("claim: sub", "claim: sub\n      - header: authorization\n        claim: sub", 18, .invalidValue, "belongs to HTTP"),
        // The core names its own members and counts from zero; the file has other names, and a user counts from one.
        Fault(
            "claim: sub", "claim: sub\n      - {header: authorization, claim: sub}", 18, .invalidValue,
            "`providers[1].claims[2].header`:"),
        Fault("path: /", "path: /a/../b", 23, .invalidValue, "`routes[1].path`"),
        Fault(
            "claim: sub\npolicies:",
            "claim: sub\n    storage: a\n  - {name: b, issuer: \"https://b.example\", anyAudience: true, storage: ./a}\npolicies:", 19,
            .invalidValue, "`providers[2].storage`: another issuer"),
        // What the listener's gateway cannot do.
        Fault("path: /", "path: /\n    headers: {X-Original-URI: /a}", 24, .conflict, "`routes[1].headers`: no route gets the field `x-o"),
        Fault("path: /", "path: /\n    headers: {Host: api.example}", 24, .conflict, "use `hosts`"),
        Fault("path: /", "path: /\n    context: {tenant: one}", 24, .unknownName, "no listener has `tenant` in `contextHeaders`"),
        Fault("- authorization: Bearer", "- query: t\n    forwardToken: false", 15, .conflict, "`providers[1].forwardToken`: a token in"),
        Fault("- authorization: Bearer", "- webSocketProtocol: bearer", 14, .invalidValue, "with a dot at its end"),
        // What the gateway's own file does not do.
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    handledFields: [x-other]", 9, .conflict, "does not handle the field `x-"),
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    handledFields: [\"x y\"]", 5, .invalidValue, "is no name of a header field"),
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    handledFields: [\"x-*-a\"]", 5, .invalidValue, "`x-*-a` is no name"),
        Fault("tcp: 127.0.0.1:0", "tcp: 127.0.0.1:0\n    handledFields: []", 5, .wrongKind, "the list is empty"),
        // What would silently do something else.
        Fault("path: /", "path: /glob/*", 23, .invalidValue, "`*` is no pattern"),
        Fault("path: /", "path: '/a[0-9]+'", 23, .invalidValue, "`[` is no character of a path"),
        Fault("path: /", "pattern: /a*/b", 23, .invalidValue, "`*` stands for a whole segment"),
        Fault("path: /", "pattern: /**/b", 23, .invalidValue, "`*` stands for a whole segment"),
        Fault("path: /", "pattern: '/a[0-9]/*'", 23, .invalidValue, "`[` is no character of a path"),
        Fault("path: /", "path: /\n    pattern: /*", 24, .conflict, "only one of `path`, `exact` and `pattern`"),
        Fault("path: /", "path: /a/(b|c)", 23, .invalidValue, "`|` is no character of a path"),
        Fault("path: /", "path: '/^a'", 23, .invalidValue, "`^` is no character of a path"),
        Fault("path: /", "exact: \"/users/{id}\"", 23, .invalidValue, "`{` is no pattern"),
        Fault("path: /", "path: \"/qs?x=1\"", 23, .invalidValue, "a query can be no condition"),
        Fault("path: /", "path: \"/a#b\"", 23, .invalidValue, "no fragment"),
        Fault("path: /", "path: /é", 23, .invalidValue, "percent-encoded"),
        Fault(
            "policy: api\ntoken", "policy: api\n  - {path: /a, policy: api}\ntoken", 25, .conflict,
            "`routes[2]`: never decides: `routes[1]`"),
        Fault("path: /", "methods: [GETT]", 23, .invalidValue, "did you mean `GET`?"),
        Fault("path: /", "methods: []", 23, .wrongKind, "the list is empty"),
        Fault("audiences: [client-1]", "audiences: [client-1]\n    algorithms: []", 11, .wrongKind, "the list is empty"),
        Fault("audiences: [client-1]", "audiences: [client-1]\n    leewaySeconds: 010", 11, .invalidValue, "without a leading zero: 10"),
        Fault("audiences: [client-1]", "audiences: [client-1]\n    leewaySeconds: +5", 11, .invalidValue, "without a sign"),
        Fault("url: https://idp.example/jwks", "url: https://127.0.0.1/jwks", 11, .conflict, "needs `allowLoopback: true`"),
        Fault("url: https://idp.example/jwks", "url: https://[::1]/jwks", 11, .conflict, "needs `allowLoopback: true`"),
        Fault("url: https://idp.example/jwks", "url: https://10.1.2.3/jwks", 11, .conflict, "needs `allowPrivateAddresses: true`"),
        Fault("url: https://idp.example/jwks", "url: https://keys.localhost/jwks", 11, .conflict, "needs `allowLoopback: true`"),
        Fault("url: https://idp.example/jwks", "url: https://169.254.1.1/jwks", 11, .conflict, "its address is link-local"),
        Fault("url: https://idp.example/jwks", "url: https://192.0.2.7/jwks", 11, .conflict, "its address is reserved"),
        Fault("url: https://idp.example/jwks", "url: https://[ff02::1]/jwks", 11, .conflict, "its address is multicast"),
        Fault("issuer: https://idp.example", "issuer: https://a.example/.well-known/openid-configuration", 9, .invalidValue, "a document"),
        Fault("issuer: https://idp.example", "issuer: \"https://a.example/{tenantid}/v2.0\"", 9, .invalidValue, "has a brace"),
        Fault("issuer: https://idp.example", "issuer: \"https://a.example /\"", 9, .invalidValue, "has a blank"),
        Fault("tcp: 127.0.0.1:0", "unix: /run/a.sock\n    owner: nobody-knows-them", 5, .unknownName, "no user `nobody-knows-them`"),
        Fault("tcp: 127.0.0.1:0", "unix: /run/a.sock\n    group: nobody-knows-them", 5, .unknownName, "no group `nobody-knows-them`"),
        Fault("requires: idp", "requires: none", 20, .unknownName, "an open route has `requires: nothing`"),
        Fault("requires: idp", "requires: {any: [allow-missing]}", 20, .invalidValue, "allow-missing and allow-failed stand in an any"),
    ])
    func aFaultHasItsLineAndAWordOfHelp(fault: Fault) throws {
        let text = SampleConfiguration.replacing(fault.old, with: fault.new)
        #expect(text != SampleConfiguration.text)
        let faults = Self.faults(of: text)
        let found = try #require(faults.first { $0.code == fault.code }, "\(faults)")
        // libYAML finds the end of an open quotation somewhere below.
        #expect(found.line == fault.line || fault.line == 0, "\(found)")
        #expect(found.text.contains(fault.text), "\(found)")
    }

    /// What may be meant is a warning, with its line.
    @Test(arguments: [
        Fault("issuer: https://idp.example", "issuer: https://idp.example/", 9, .conflict, "ends with a slash"),
        Fault("tcp: 127.0.0.1:0", "tcp: 0.0.0.0:0", 4, .conflict, "everyone who reaches this machine"),
        Fault("tcp: 127.0.0.1:0", "tcp: \"[::]:0\"", 4, .conflict, "everyone who reaches this machine"),
        Fault("tcp: 127.0.0.1:0", "unix: /run/a.sock\n    mode: \"0777\"", 5, .conflict, "everyone on this machine"),
        Fault("claim: sub", "claim: realm_access.roles", 17, .conflict, "is `/realm_access/roles`"),
        Fault("authorization: Bearer", "authorization: Bearer\n    forwardToken: false", 15, .conflict, "the token goes on unless"),
        Fault("realm: api", "claims:\n      - {claim: email, mailDomain: example.com}", 22, .conflict, "ask for `{claim: email_verified"),
        Fault("url: https://idp.example/jwks", "file: no-such-file.json", 12, .conflict, "no-such-file.json is not there"),
        Fault(
            "policies:", "  - {name: b, issuer: \"https://b.example\", anyAudience: true}\npolicies:", 18, .conflict, "no policy requires"),
        Fault("routes:", "  - {name: b, requires: nothing}\nroutes:", 22, .conflict, "no route names the policy b"),
    ])
    func aSettingThatMayBeMeantIsAWarningWithItsLine(fault: Fault) throws {
        let text = SampleConfiguration.replacing(fault.old, with: fault.new)
        #expect(text != SampleConfiguration.text)
        let warnings = try ServiceConfiguration(yaml: text).warnings(revocations: .init())
        let found = try #require(warnings.first { $0.code == fault.code && $0.line == fault.line }, "\(warnings)")
        #expect(found.text.contains(fault.text), "\(found)")
    }

    @Test(arguments: ["claim: \"https://example.com/roles\"", "claim: a..b", "claim: roles", "claim: \".x\""])
    func aClaimThatIsNamedWithDotsIsTaken(claim: String) throws {
        let text = SampleConfiguration.replacing("claim: sub", with: claim)
        #expect(try ServiceConfiguration(yaml: text).warnings(revocations: .init()).isEmpty)
    }

    @Test func aFileThatEveryoneMayChangeIsAWarning() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("gateway.yaml", SampleConfiguration.text)
        #expect(unsafe chmod(path, 0o646) == 0)
        #expect(try ServiceConfiguration(file: path).checkFiles().map(\.text) == ["\(path): everyone on this machine may change the file"])
        #expect(unsafe chmod(path, 0o644) == 0)
        #expect(try ServiceConfiguration(file: path).checkFiles().isEmpty)
    }

    /// Routes that never decide, and routes that seem so.
    @Test(arguments: [
        ("{policy: api}", "{path: /a, policy: api}", true), ("{path: /, policy: api}", "{policy: api}", false),
        ("{path: /a, policy: api}", "{path: /a/b, policy: api}", true), ("{path: /a, policy: api}", "{path: /ab, policy: api}", false),
        ("{path: /a, policy: api}", "{exact: /a, policy: api}", true), ("{exact: /a, policy: api}", "{path: /a, policy: api}", false),
        ("{exact: /a, policy: api}", "{exact: /a, policy: api}", true), ("{path: /%61, policy: api}", "{path: /a, policy: api}", true),
        ("{path: /a, methods: [GET], policy: api}", "{path: /a, policy: api}", false),
        ("{path: /a, methods: [GET, PUT], policy: api}", "{path: /a, methods: [PUT], policy: api}", true),
        ("{path: /a, policy: api}", "{path: /a, methods: [CONNECT], policy: api}", false),
        ("{path: /a, hosts: [a.example], policy: api}", "{path: /a, policy: api}", false),
        ("{path: /a, policy: api}", "{path: /a, hosts: [a.example], policy: api}", true),
        ("{path: /a, hosts: [\"*.example\"], policy: api}", "{path: /a, hosts: [a.example], policy: api}", true),
        ("{path: /a, hosts: [\"*.example\"], policy: api}", "{path: /a, hosts: [example], policy: api}", false),
        ("{path: /a, headers: {x-v: \"1\"}, policy: api}", "{path: /a, policy: api}", false),
        ("{path: /a, policy: api}", "{path: /a, headers: {x-v: \"1\"}, policy: api}", true),
    ])
    func aRouteBehindOneThatTakesItsRequestsIsAFault(first: String, second: String, isFault: Bool) {
        let text = SampleConfiguration.replacing("  - path: /\n    policy: api", with: "  - \(first)\n  - \(second)")
        #expect(Self.faults(of: text).map(\.code) == (isFault ? [.conflict] : []))
    }

    @Test(arguments: ["https://{realm}.example", "https://idp.example/a b", ""])
    func aFaultOfAProviderIsNoneOfThePolicyThatRequiresIt(issuer: String) {
        let faults = Self.faults(of: SampleConfiguration.text.replacing("issuer: https://idp.example", with: "issuer: \"\(issuer)\""))
        #expect(faults.map(\.line) == [9], "\(faults)")
    }

    @Test func everyFaultIsShownAtOnce() {
        let text = SampleConfiguration.text.replacing("issuer:", with: "issuerr:").replacing("level: info", with: "level: inf")
            .replacing("profile: nginx", with: "profile: apache")
        let lines = Self.faults(of: text).map(\.line)
        #expect(lines == lines.sorted())
        #expect(Set(lines).isSuperset(of: [3, 9, 28]))
    }

    /// A route that never matches leaves its requests to the next one. With two listeners, one that delivers all of it is enough.
    @Test(
        arguments: [
            ("headers: {x-tenant: one}", nil), ("context: {tenant: one}", nil), ("headers: {x-original-uri: /a}", nil),
            ("headers: {x-forwarded-uri: /a}", nil), ("headers: {x-forwarded-uri: /a}\n    context: {tenant: one}", nil),
            ("headers: {x-original-uri: /a}\n    context: {tenant: one}", .conflict),
            ("headers: {x-original-uri: /a, x-forwarded-uri: /a}", .conflict), ("headers: {te: trailers}", .conflict),
            ("context: {tenent: one}", .unknownName), ("context: {tenant: one, other: two}", .unknownName),
        ] as [(String, SettingsFault.Code?)])
    func aRouteHasAListenerThatDeliversItsConditions(conditions: String, code: SettingsFault.Code?) {
        let listeners = "tcp: 127.0.0.1:0\n    contextHeaders: {x-tenant: tenant}\n  - {name: b, profile: traefik, tcp: \"127.0.0.1:0\"}"
        let text = SampleConfiguration.replacing("tcp: 127.0.0.1:0", with: listeners)
            .replacing("path: /", with: "path: /\n    \(conditions)")
        #expect(Self.faults(of: text).map(\.code) == (code.map { [$0] } ?? []))
    }

    /// Envoy's own settings name `context_extensions`, and its protocol can change the query.
    @Test(arguments: [
        ("path: /", "path: /\n    context: {tenant: one}", true), ("path: /", "path: /\n    headers: {x-envoy-internal: \"true\"}", true),
        ("path: /", "path: /\n    headers: {host: api.example}", false),
        ("- authorization: Bearer", "- query: t\n    forwardToken: false", true),
    ])
    func envoyByGRPCDeliversMore(old: String, new: String, isTaken: Bool) {
        let text = SampleConfiguration.replacing("profile: nginx", with: "profile: envoy-grpc").replacing(old, with: new)
        #expect(Self.faults(of: text).isEmpty == isTaken)
    }

    @Test func aTokenThatOnlyOneListenerRemovesIsAWarning() throws {
        let listeners = "tcp: 127.0.0.1:0\n  - {name: b, profile: envoy-grpc, tcp: \"127.0.0.1:0\"}"
        let text = SampleConfiguration.replacing("tcp: 127.0.0.1:0", with: listeners)
            .replacing("- authorization: Bearer", with: "- query: t\n    forwardToken: false")
        let warnings = try ServiceConfiguration(yaml: text).checkFiles()
        #expect(warnings.map(\.code) == [.conflict])
        #expect(warnings.first?.text.contains("behind edge a token in the query stays") == true, "\(warnings)")
        #expect(try ServiceConfiguration(yaml: SampleConfiguration.text).checkFiles() == [])
    }

    @Test func twoListenersOnOneAddressAreAConflict() {
        let text = SampleConfiguration.text.replacing("127.0.0.1:0", with: "127.0.0.1:9191")
        #expect(Self.faults(of: text).map(\.code) == [.conflict])
    }

    /// Nine levels of nine aliases would be 387 million nodes.
    @Test func anAliasBombIsRefusedBeforeItIsRead() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<10 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(Self.faults(of: text + "? *a9\n: x\n").map(\.code) == [.unsupportedYAML])
    }

    @Test(arguments: [
        (String(repeating: "[", count: 100_000), SettingsFault.Code.tooDeep),
        (String(repeating: "- ", count: 400) + "x", .tooDeep),
        (String(repeating: "# comment\n", count: 200_000), .tooLarge),
        ("a: b\n---\nc: d\n", .notYAML),
        ("- a\n- b\n", .wrongKind),
        ("a: \u{0}\n", .notYAML),
    ])
    func aDocumentOfAnotherKindIsRefused(text: String, code: SettingsFault.Code) {
        #expect(Self.faults(of: text).first?.code == code)
    }

    /// An empty file is what a program leaves that has failed. It must not take every revocation back.
    @Test(
        arguments: [
            ("", SettingsFault.Code.missingSetting), ("# none\n", .missingSetting), ("revocations:\n", nil), ("revocations: []\n", nil),
            ("revocations: [{kid: }]\n", .wrongKind),
        ] as [(String, SettingsFault.Code?)])
    func aListOfRevocationsHasToBeThere(text: String, code: SettingsFault.Code?) {
        do {
            #expect(try RevocationFile.read(yaml: text).entries.isEmpty)
            #expect(code == nil)
        } catch {
            #expect(error.faults.first?.code == code)
        }
    }

    @Test func aFileOfAnotherKindIsRefused() throws {
        let folder = try TemporaryFolder(), pipe = folder.path + "/pipe"
        try #require(Shell.run("mkfifo \(pipe)") == 0)
        for path in [folder.path, folder.path + "/absent", "/dev/zero", pipe] {
            #expect(throws: SettingsFailure.self) { _ = try ServiceConfiguration(file: path) }
        }
    }

    #if os(Linux)
    /// A file of /proc has a size of 0 and then more bytes, like a file that another program writes between the two.
    @Test func aFileThatChangesWhileItIsReadIsRefused() throws {
        let failure = #expect(throws: SettingsFailure.self) { _ = try ServiceConfiguration(file: "/proc/self/status") }
        #expect(failure?.faults.first?.code == .unreadable)
        #expect(failure?.faults.first?.description.contains("was changed while it was read") == true)
    }
    #endif

    @Test func aSecretOfAURLIsNotInItsFault() {
        let text = SampleConfiguration.replacing("url: https://idp.example/jwks", with: "url: https://user:hunter2@idp.example/")
        #expect(!Self.faults(of: text).map(\.description).joined().contains("hunter2"))
    }
}
