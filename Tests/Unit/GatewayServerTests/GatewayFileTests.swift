import Foundation
import GatewayServer
import JWTTestSupport
import Testing

/// The files of gateways, made from the configuration.
@Suite struct GatewayFileTests {
    private static let integrations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../integrations").standardized.path

    private static func file(_ path: String) throws -> String { try String(contentsOfFile: "\(integrations)/\(path)", encoding: .utf8) }

    private static func configuration(_ changes: (String, String)...) throws -> ServiceConfiguration {
        var text = try file("assay.yaml")
        for (old, new) in changes {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        return try ServiceConfiguration(yaml: text)
    }

    /// The fields that the service sets: one more.
    private static func withAnotherClaim() throws -> ServiceConfiguration {
        try configuration(
            (
                "- {header: x-auth-tenant, claim: tenant}",
                "- {header: x-auth-tenant, claim: tenant}\n      - {header: X-User, claim: email}"
            ),
            (", handledFields: [x-auth-subject, x-auth-name, x-auth-tenant]", ""))
    }

    static let files: [(GatewayFile, String)] = [
        (.nginx, "nginx-auth-request/nginx.conf"), (.nginxServer, "nginx-auth-request/assay-server.conf"),
        (.nginxLocation, "nginx-auth-request/assay-location.conf"), (.haproxy, "haproxy/haproxy.cfg"),
        (.haproxyScript, "haproxy/assay.lua"), (.caddy, "caddy/Caddyfile"), (.traefik, "traefik/dynamic.yaml"),
        (.apisix, "apisix/apisix.yaml"), (.envoyHTTP, "envoy-ext-authz/envoy-http.yaml"), (.envoyGRPC, "envoy-ext-authz/envoy-grpc.yaml"),
    ]

    @Test func everyFileHasAPage() { #expect(Set(Self.files.map(\.0)) == Set(GatewayFile.allCases)) }

    /// The gateway suite runs these files with the real gateways.
    @Test(arguments: files) func theFilesOfThePagesAreWhatTheConfigurationMakes(_ gateway: GatewayFile, path: String) throws {
        let text = try gateway.text(for: Self.configuration())
        #expect(try text == Self.file(path))
        #expect(try gateway.differences(of: text, from: Self.configuration()) == [])
    }

    @Test(arguments: [
        (GatewayFile.nginxLocation, "proxy_set_header X-User $assay_field_x_user;"),
        (.nginxServer, "proxy_set_header X-Assay-Fields \"x-auth-subject x-auth-name x-auth-tenant x-user\";"),
        (.caddy, "copy_headers X-Auth-Subject X-Auth-Name X-Auth-Tenant X-User"),
        (.traefik, "authResponseHeaders: [X-Auth-Subject, X-Auth-Name, X-Auth-Tenant, X-User]"),
        (.apisix, "upstream_headers: [X-Auth-Subject, X-Auth-Name, X-Auth-Tenant, X-User]"),
        (.apisix, "X-Assay-Fields: \"x-auth-subject x-auth-name x-auth-tenant x-user\""),
        (.apisix, "local set = { \"x-auth-subject\", \"x-auth-name\", \"x-auth-tenant\", \"x-user\" }"),
        (
            .envoyHTTP,
            "allowed_upstream_headers: {patterns: [{prefix: x-auth-}, {exact: cookie}, {exact: sec-websocket-protocol}, {exact: x-user}]}"
        ),
        (.envoyHTTP, "authorization_request: {headers_to_add: [{key: x-assay-fields, value: \"x-auth-* x-user\"}]}"),
    ])
    func aClaimThatIsAddedHasItsLineAndAFileWithoutItIsBehind(_ gateway: GatewayFile, line: String) throws {
        let (before, after) = (try Self.configuration(), try Self.withAnotherClaim())
        #expect(try gateway.text(for: after).contains(line))
        let differences = try gateway.differences(of: gateway.text(for: before), from: after)
        #expect(differences.contains(.missing(line)), "\(differences)")
    }

    /// A line for the certificate stands in a file only where its listener asks for one.
    @Test(arguments: [
        (
            GatewayFile.nginxServer, "nginx, name: nginx", "x-client-cert", "pem-escaped",
            "proxy_set_header X-Client-Cert $ssl_client_escaped_cert;"
        ),
        (.haproxy, "caddy, name: haproxy", "x-client-cert", "der-base64", "http-request set-header X-Client-Cert %[ssl_c_der,base64]"),
        (
            .caddy, "caddy, name: caddy", "x-client-cert", "der-base64",
            "header_up X-Client-Cert {http.request.tls.client.certificate_der_base64}"
        ),
        (
            .traefik, "traefik, name: traefik", "x-forwarded-tls-client-cert", "der-base64",
            "middlewares: [no-certificate, certificate, assay]"
        ),
        (.apisix, "apisix, name: apisix", "x-client-cert", "pem-escaped", "X-Client-Cert: $ssl_client_escaped_cert"),
        (.envoyHTTP, "envoy-http, name: envoy", "x-forwarded-client-cert", "xfcc", "forward_client_cert_details: SANITIZE_SET"),
    ])
    func aCertificateHasItsLine(_ gateway: GatewayFile, listener: String, field: String, form: String, line: String) throws {
        func configuration(_ field: String, _ form: String) throws -> ServiceConfiguration {
            let certificate = field.isEmpty ? "" : ", certificate: {field: \(field), form: \(form)}"
            return try ServiceConfiguration(
                yaml: """
                    listeners: [{profile: \(listener), tcp: "127.0.0.1:9191"\(certificate)}]
                    providers: [{name: main, issuer: "https://idp.example", audiences: [api]\(field.isEmpty ? "" : ", certificateBound: optional")}]
                    policies: [{name: api, requires: main}]
                    routes: [{policy: api}]
                    """)
        }
        let without = try gateway.text(for: configuration("", "")), with = try gateway.text(for: configuration(field, form))
        #expect(!without.contains(line) && with.contains(line) && !with.contains("{{"))
        #expect(try gateway.differences(of: without, from: configuration(field, form)).contains(.missing(line)))
        // Where a file lists the fields that it handles, it lists this one.
        let lists = with.split(separator: "\n").filter {
            $0.contains("X-Assay-Fields") || $0.contains("txn.assay_certificate") && $0.contains("set-var")
        }
        #expect(lists.allSatisfy { $0.lowercased().contains(field) }, "\(lists)")
        #expect(throws: GatewayFile.Failure.self) { try gateway.text(for: configuration(field, "rfc9440")) }
    }

    @Test func envoySendsTheCertificateByGRPCWhereAProviderAsksForIt() throws {
        let line = "include_peer_certificate: true"
        #expect(try !GatewayFile.envoyGRPC.text(for: Self.configuration()).contains(line))
        let bound = try Self.configuration(("audiences: [client-1]", "audiences: [client-1]\n    certificateBound: required"))
        #expect(try GatewayFile.envoyGRPC.text(for: bound).contains(line))
    }

    /// HAProxy's script and Envoy by gRPC handle every field.
    @Test(arguments: [GatewayFile.haproxy, .haproxyScript, .envoyGRPC])
    func haproxyAndEnvoyGRPCHandleEveryField(_ gateway: GatewayFile) throws {
        #expect(try gateway.text(for: Self.configuration()) == gateway.text(for: Self.withAnotherClaim()))
    }

    @Test func whatTheOwnerChangesIsNoDifference() throws {
        let configuration = try Self.configuration()
        let text = try GatewayFile.nginx.text(for: configuration)
            .replacing("listen 127.0.0.1:8080;", with: "listen 443 ssl;").replacing("http://127.0.0.1:9000", with: "http://app")
        #expect(try GatewayFile.nginx.differences(of: text, from: configuration) == [])
        let location = try GatewayFile.nginxLocation.text(for: configuration)
            .replacing("auth_request assay_decision;", with: "\tauth_request   assay_decision;  \n# a comment about assay")
        #expect(try GatewayFile.nginxLocation.differences(of: location, from: configuration) == [])
    }

    /// A protecting line may come once or several times, by the number of servers. A file without it has a difference.
    @Test(arguments: [
        (GatewayFile.nginx, "include assay-server.conf;"), (.nginx, "include assay-location.conf;"), (.caddy, "import assay"),
        (.traefik, "middlewares: [assay]"), (.apisix, "plugin_config_id: assay"), (.haproxy, "http-request lua.assay 127.0.0.1:9193"),
    ])
    func aConfigurationProtectsAnyNumberOfServers(_ gateway: GatewayFile, line: String) throws {
        let configuration = try Self.configuration(), text = try gateway.text(for: configuration)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let places = lines.indices.filter { lines[$0].hasSuffix(line) }
        #expect(places.count == (gateway == .haproxy ? 1 : 2))
        func differences(_ lines: [Substring]) throws -> [GatewayFile.Difference] {
            try gateway.differences(of: lines.joined(separator: "\n"), from: configuration)
        }
        let others = lines.indices.filter { !places.contains($0) }.map { lines[$0] }
        #expect(try differences(others) == [.missing(line)])
        #expect(try differences(others + ["  " + line]) == [])
        #expect(try differences(lines + ["  " + line]) == [])
    }

    @Test(arguments: [
        (
            GatewayFile.nginxLocation, "proxy_set_header X-Auth-Subject $assay_subject;",
            "proxy_set_header X-Auth-Subject $http_x_auth_subject;"
        ),
        (.nginxLocation, "auth_request_set $assay_tenant $upstream_http_x_auth_tenant;", ""),
        (.nginxServer, "proxy_pass_request_body off;", ""), (.nginxServer, "proxy_read_timeout 2s;", "proxy_read_timeout 60s;"),
        (.apisix, "allow_degradation: false", "allow_degradation: true"), (.apisix, "request_headers: [\"Authorization\", ", ""),
        (.caddy, "request_header -X_*", ""),
    ])
    func eachLineThatIsChangedIsNamed(_ gateway: GatewayFile, _ line: String, by other: String) throws {
        let configuration = try Self.configuration()
        let text = try gateway.text(for: configuration)
        let differences = try gateway.differences(of: text.replacing(line, with: other), from: configuration)
        guard case .missing(let missing)? = differences.first else {
            Issue.record("no line is missing: \(differences)")
            return
        }
        #expect(missing.hasPrefix(line))
        let place = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(line) }.map { $0 + 1 } ?? 0
        let names = other.contains("X-Auth")
        #expect(differences.dropFirst().elementsEqual(names ? [.unexpected(line: place, other)] : []))
    }

    @Test(arguments: [
        (GatewayFile.nginx, "server unix:/run/a.sock;"), (.haproxy, "lua.assay unix@/run/a.sock"),
        (.caddy, "forward_auth unix//run/a.sock {"),
        (.envoyHTTP, "{address: {pipe: {path: /run/a.sock}}}"), (.envoyGRPC, "{address: {pipe: {path: /run/a.sock}}}"),
    ])
    func aListenerMayBeAUnixSocket(_ gateway: GatewayFile, line: String) throws {
        let port = [GatewayFile.nginx: 9191, .haproxy: 9193, .caddy: 9192, .envoyHTTP: 9195, .envoyGRPC: 9196][gateway] ?? 0
        let configuration = try Self.configuration(("tcp: \"127.0.0.1:\(port)\"", "unix: /run/a.sock"))
        #expect(try gateway.text(for: configuration).contains(line))
    }

    /// Debian's HAProxy has that folder as its root.
    @Test func aSocketBelowTheRootOfHAProxyIsNamedFromThere() throws {
        let configuration = try Self.configuration(("tcp: \"127.0.0.1:9193\"", "unix: /var/lib/haproxy/assay.sock"))
        #expect(try GatewayFile.haproxy.text(for: configuration).contains("lua.assay unix@/assay.sock"))
    }

    @Test func aGatewayThatCannotAskIsAFailure() throws {
        let socket = try Self.configuration(("tcp: \"127.0.0.1:9194\"", "unix: /run/a.sock"))
        #expect(throws: GatewayFile.Failure.self) { try GatewayFile.traefik.text(for: socket) }
        let other = try Self.configuration(("tcp: \"127.0.0.1:9197\"", "unix: /run/a.sock"))
        #expect(throws: GatewayFile.Failure.self) { try GatewayFile.apisix.text(for: other) }
        var none = try Self.configuration()
        none.listeners.removeAll { $0.profile == .nginx }
        #expect(throws: GatewayFile.Failure.self) { try GatewayFile.nginx.text(for: none) }
    }

    /// A field's own variable is none of the file's.
    @Test(arguments: ["status", "code", "challenge", "location", "retry", "answer", "port"]) func noFieldTakesAVariableOfTheFile(
        _ name: String
    ) throws {
        let configuration = try Self.configuration(
            ("x-auth-name, claim: name", "x-auth-\(name), claim: name"),
            (", handledFields: [x-auth-subject, x-auth-name, x-auth-tenant]", ""))
        #expect(
            try GatewayFile.nginxLocation.text(for: configuration).contains(
                "proxy_set_header X-Auth-\(name.capitalized) $assay_field_x_auth_\(name);"))
    }

    /// APISIX sends the service only the fields that its file lists.
    @Test func everyFieldThatADecisionLooksAtIsSent() throws {
        let configuration = try Self.configuration(
            (
                "    audiences: [client-1]\n",
                "    audiences: [client-1]\n    tokenFrom: [{cookie: session}, {header: X-Token}, {query: t}]\n"
            ),
            ("  - {path: /public, policy: open}", "  - {path: /public, headers: {X-Kind: a}, policy: open}"),
            ("tcp: \"127.0.0.1:9197\"", "tcp: \"127.0.0.1:9197\", contextHeaders: {x-gate: gate}"))
        let text = try GatewayFile.apisix.text(for: configuration)
        let sent = "[\"Cookie\", \"X-Token\", \"X-Kind\", \"X-Http-Method\", \"X-Http-Method-Override\", \"X-Method-Override\"]"
        #expect(text.contains("request_headers: \(sent)\n"))
        #expect(text.contains("local judged = { [\"cookie\"] = true, [\"x-token\"] = true, [\"x-kind\"] = true, "))
        // A client must not set the gateway's own context.
        #expect(!text.lowercased().contains("x-gate"))
    }

    /// A second proof is refused by APISIX itself: its plugin would send one of the two.
    @Test func aProofIsSentWhereAProviderAsksForOne() throws {
        let configuration = try Self.configuration(
            ("    audiences: [client-1]\n", "    audiences: [client-1]\n    dpop: {tokens: bound}\n"))
        let text = try GatewayFile.apisix.text(for: configuration)
        #expect(text.contains("request_headers: [\"Authorization\", \"Dpop\", \"X-Http-Method\", "))
        #expect(text.contains("local judged = { [\"authorization\"] = true, [\"dpop\"] = true, "))
        #expect(try !GatewayFile.apisix.text(for: Self.configuration()).contains("dpop\"]"))
    }

    /// Also those by which a browser is known. No second one of these is a fault: nothing is admitted by them.
    @Test func whereBrowsersAreRedirectedTheirFieldsAreSent() throws {
        let configuration = try Self.configuration(
            ("{name: api, requires: idp, realm: api}", "{name: api, requires: idp, browsers: {redirect: /login}}"))
        let text = try GatewayFile.apisix.text(for: configuration)
        #expect(text.contains(", \"Accept\", \"X-Requested-With\", \"Sec-Websocket-Key\", \"Sec-Fetch-Mode\", "))
        #expect(!text.contains("[\"accept\"] = true"))
        #expect(try !GatewayFile.apisix.text(for: Self.configuration()).contains("\"Accept\""))
    }

    @Test func withoutClaimsNoFieldIsNamed() throws {
        let claims =
            "    claims:\n      - {header: x-auth-subject, claim: sub}\n      - {header: x-auth-name, claim: name}\n      - {header: x-auth-tenant, claim: tenant}\n"
        let configuration = try Self.configuration((claims, ""))
        for gateway in [GatewayFile.nginxServer, .nginxLocation, .caddy, .traefik, .apisix] {
            let text = try gateway.text(for: configuration)
            #expect(!text.contains("{{") && !text.contains("$assay_subject") && !text.contains("copy_headers X"))
        }
    }
}
