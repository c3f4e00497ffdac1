import Gateway
import JWKSCache
import JWTCore
import Testing

/// What a configuration may not say, and the setting that is named.
struct ConfigurationTests {
    private static func failure(_ change: (inout GatewayConfiguration) -> Void) -> String {
        do throws(ConfigurationFault) {
            try Scene.configuration(.provider("a"), change).check()
            return "valid"
        } catch {
            return "\(error.setting): \(error.code.rawValue)"
        }
    }

    private static func requirement(_ requirement: Requirement, _ change: (inout GatewayConfiguration) -> Void = { _ in }) -> String {
        failure {
            $0.policies[0].requirement = requirement
            $0.providers[1].sources = [.cookie(name: "b")]
            change(&$0)
        }
    }

    @Test
    func namesAndReferences() {
        #expect(Self.failure { _ in } == "valid")
        #expect(Self.failure { $0.providers[1].name = "a" } == "providers[1].name: duplicate_name")
        #expect(Self.failure { $0.providers[0].name = "" } == "providers[0].name: invalid_name")
        #expect(Self.failure { $0.policies[0].name = "a\nb" } == "policies[0].name: invalid_name")
        #expect(Self.failure { $0.policies.append($0.policies[0]) } == "policies[1].name: duplicate_name")
        #expect(Self.failure { $0.policies[0].requirement = .provider("c") } == "policies[0].requirement: unknown_provider")
        #expect(Self.failure { $0.policies[0].shadow = "c" } == "policies[0].shadow: unknown_shadow")
        #expect(Self.failure { $0.policies[0].shadow = "main" } == "policies[0].shadow: shadow_cycle")
        #expect(Self.failure { $0.routes = [] } == "routes: no_routes")
        #expect(Self.failure { $0.routes[0].policy = "c" } == "routes[0].policy: unknown_policy")
        let cycle = Self.failure {
            $0.policies += [GatewayPolicy("p", requirement: nil), GatewayPolicy("q", requirement: nil)]
            $0.policies[1].shadow = "q"
            $0.policies[2].shadow = "p"
            $0.policies[0].shadow = "p"
        }
        #expect(cycle == "policies[0].shadow: shadow_cycle")
    }

    @Test(arguments: [(false, false, false), (false, true, true), (true, false, true), (true, true, true)])
    func anIssuerIsRequiredIfOneOfItsProvidersRequiresIt(first: Bool, second: Bool, isRequired: Bool) {
        let configuration = Scene.configuration {
            $0.providers = ["one", "two"].map { Provider($0, issuer: Scene.provider("a").issuer) }
            $0.providers[0].issuer.isRequired = first
            $0.providers[1].issuer.isRequired = second
        }
        #expect(configuration.issuers.map(\.isRequired) == [isRequired])
    }

    /// Providers of one issuer have one key set.
    @Test
    func providersOfOneIssuerShareItsFile() {
        let failure = Self.failure {
            $0.providers[0].issuer.storage = KeySetStorage(path: "/keys/a")
            $0.providers[1].issuer = $0.providers[0].issuer
        }
        #expect(failure == "valid")
    }

    @Test
    func issuersAndSources() {
        #expect(Self.failure { $0.providers[0].issuer.issuer = "" } == "providers[0].issuer: invalid_issuer")
        #expect(Self.failure { $0.providers[0].issuer.issuer = "https://a b" } == "providers[0].issuer: invalid_issuer")
        #expect(
            Self.failure {
                $0.providers[1].issuer.issuer = "https://a.example"
            } == "providers[1].issuer: conflicting_issuer")
        for (path, expected) in [
            ("/keys/a", "providers[1].issuer.storage: shared_storage"), ("/keys//./a", "providers[1].issuer.storage: shared_storage"),
            ("/keys/b", "valid"), ("keys/a", "valid"),
        ] {
            let failure = Self.failure {
                $0.providers[0].issuer.storage = KeySetStorage(path: "/keys/a")
                $0.providers[1].issuer.storage = KeySetStorage(path: path)
            }
            #expect(failure == expected, "\(path)")
        }
        for (sources, expected) in [
            ([], ": no_sources"), ([.bearer, .bearer], "[1]: repeated_source"),
            ([.bearer, .authorization(scheme: "BEARER")], "[1]: repeated_source"),
            ([.header(name: "x-t", prefix: ""), .header(name: "X-T", prefix: "a")], "[1]: repeated_source"),
            ([.authorization(scheme: "")], "[0]: invalid_scheme"), ([.authorization(scheme: "a b")], "[0]: invalid_scheme"),
            ([.header(name: "x_t", prefix: "")], "[0]: invalid_field_name"), ([.header(name: "", prefix: "")], "[0]: invalid_field_name"),
            ([.header(name: "Cookie", prefix: "")], "[0]: reserved_field_name"),
            ([.header(name: "X-Forwarded-User", prefix: "")], "[0]: reserved_field_name"),
            ([.header(name: "x-t", prefix: "a,")], "[0]: invalid_prefix"), ([.header(name: "x-t", prefix: " a")], "[0]: invalid_prefix"),
            ([.cookie(name: "")], "[0]: invalid_cookie_name"), ([.cookie(name: "a;b")], "[0]: invalid_cookie_name"),
            ([.cookie(name: "a=b")], "[0]: invalid_cookie_name"), ([.query(name: "")], "[0]: invalid_parameter_name"),
            ([.query(name: "\u{e4}")], "[0]: invalid_parameter_name"),
        ] as [([TokenSource], String)] {
            #expect(Self.failure { $0.providers[0].sources = sources } == "providers[0].sources\(expected)", "\(sources)")
        }
        #expect(Self.failure { $0.providers[0].sources = [.bearer, .authorization(scheme: "DPoP"), .cookie(name: "__Host-a")] } == "valid")
    }

    @Test(arguments: [
        ("", "invalid_field_name"), ("x_user", "invalid_field_name"), ("x user", "invalid_field_name"), ("x:", "invalid_field_name"),
        (":path", "invalid_field_name"), ("x-\u{e4}", "invalid_field_name"), ("x\r\n", "invalid_field_name"),
        ("Host", "reserved_field_name"), ("content-length", "reserved_field_name"), ("Connection", "reserved_field_name"),
        ("Transfer-Encoding", "reserved_field_name"), ("Cookie", "reserved_field_name"), ("Authorization", "reserved_field_name"),
        ("X-Forwarded-For", "reserved_field_name"), ("X-Original-URI", "reserved_field_name"), ("X-Envoy-Attempt", "reserved_field_name"),
        ("X-Assay-Code", "reserved_field_name"), ("X-HTTP-Method-Override", "reserved_field_name"),
        ("X-Request-ID", "reserved_field_name"), ("X-Other", "repeated_field_name"), ("X-Token", "field_of_tokens"),
    ])
    func fieldsForTheUpstream(name: String, code: String) {
        let other = ClaimHeader("x-other", path: [.member("o")])
        let tokens = TokenSource.header(name: "x-token", prefix: "")
        let claim = Self.failure {
            $0.providers[1].sources = [tokens]
            $0.providers[0].claimHeaders = [other, ClaimHeader(name, path: [.member("c")])]
        }
        #expect(claim == "providers[0].claimHeaders[1].name: \(code)")
        let payload = Self.failure {
            $0.providers[0].sources = [tokens]
            $0.providers[0].claimHeaders = [other]
            $0.providers[0].payloadHeader = name
        }
        #expect(payload == "providers[0].payloadHeader: \(code)")
    }

    @Test
    func claimPathsAndSeparators() {
        for path in [[], [.position(-1)]] as [[ClaimStep]] {
            let failure = Self.failure { $0.providers[0].claimHeaders = [ClaimHeader("x", path: path)] }
            #expect(failure == "providers[0].claimHeaders[0].path: empty_claim_path")
        }
        for separator in ["", "a", "%", "\n", "123", ",,,,,,,,,", "\u{e4}"] {
            let failure = Self.failure {
                $0.providers[0].claimHeaders = [ClaimHeader("x", path: [.member("c")], arrays: .joined(separator))]
            }
            #expect(failure == "providers[0].claimHeaders[0].arrays: invalid_separator", "\(separator)")
        }
        #expect(Self.failure { $0.fieldLimits.valueBytes = 0 } == "fieldLimits.valueBytes: invalid_limit")
        #expect(Self.failure { $0.fieldLimits.totalBytes = 10 } == "fieldLimits.totalBytes: invalid_limit")
    }

    @Test
    func faultyRequirementsAreRefused() {
        let path = "policies[0].requirement"
        let both: [Requirement] = [.provider("a"), .provider("b")]
        #expect(Self.requirement(.all(both)) == "valid")
        #expect(Self.requirement(.any(both + [.allowMissing])) == "valid")
        #expect(Self.requirement(.any([])) == "\(path).any: empty_requirement")
        #expect(Self.requirement(.all([])) == "\(path).all: empty_requirement")
        #expect(Self.requirement(.any([.provider("a"), .all([])])) == "\(path).any[1].all: empty_requirement")
        #expect(Self.requirement(.all([.provider("a"), .provider("c")])) == "\(path).all[1]: unknown_provider")
        #expect(Self.requirement(.allowMissing) == "\(path): misplaced_allowance")
        #expect(Self.requirement(.all([.provider("a"), .allowFailed])) == "\(path).all[1]: misplaced_allowance")
        #expect(Self.requirement(.any([.allowMissing])) == "\(path).any[0]: misplaced_allowance")
        #expect(Self.requirement(.any([.allowMissing, .allowFailed, .provider("a")])) == "\(path).any[1]: misplaced_allowance")
        #expect(Self.requirement(.all(both)) { $0.providers[1].sources = [.bearer] } == "\(path).all[1]: shared_source")
        #expect(
            Self.requirement(.all(both)) {
                $0.providers[1].sources = [.authorization(scheme: "DPoP")]
            } == "\(path).all[1]: shared_source")
        #expect(
            Self.requirement(.all([.provider("a"), .any([.provider("b"), .provider("a")])])) == "\(path).all[1]: shared_source")
        let shared = Self.requirement(.all(both)) {
            $0.providers[0].claimHeaders = [ClaimHeader("x-user", path: [.member("sub")])]
            $0.providers[1].payloadHeader = "X-User"
        }
        #expect(shared == "\(path).all[1]: shared_field_name")
        let deep = (0..<8).reduce(Requirement.provider("a")) { inner, _ in .any([inner]) }
        #expect(Self.requirement(deep) == "\(path): requirement_too_large")
        let wide = Requirement.any(Array(repeating: .provider("a"), count: 64))
        #expect(Self.requirement(wide) == "\(path): requirement_too_large")
    }

    @Test
    func scopesAndTexts() {
        for scope in ["", "a b", "a\"", "a\\", "\u{e4}", "a\n"] {
            #expect(Self.failure { $0.policies[0].scopes = ["ok", scope] } == "policies[0].scopes[1]: invalid_scope", "\(scope)")
        }
        for requirement in [nil, .any([.provider("a"), .allowMissing]), .any([.provider("a"), .allowFailed])] as [Requirement?] {
            let failure = Self.failure {
                $0.policies[0].scopes = ["read"]
                $0.policies[0].requirement = requirement
            }
            #expect(failure == "policies[0].scopes: scopes_without_token")
        }
        #expect(Self.failure { $0.policies[0].realm = "a\r\nb" } == "policies[0].realm: invalid_text")
        for text in ["", "https://a/\"", "https://a b", "https://a\r\n"] {
            #expect(Self.failure { $0.policies[0].resourceMetadata = text } == "policies[0].resourceMetadata: invalid_text", "\(text)")
        }
    }

    @Test
    func faultyRoutesAreRefused() {
        for path in [
            .exact(""), .exact("a"), .exact("/a/../b"), .exact("/a%2fb"), .exact("/a b"), .prefix("/a/"), .prefix("//"), .prefix("/a;b"),
        ] as [Route.PathMatch] {
            #expect(Self.failure { $0.routes[0].path = path } == "routes[0].path: invalid_path", "\(path)")
        }
        #expect(Self.failure { $0.routes[0].path = .prefix("/") } == "valid")
        for method in ["", "get", "GET ", "*"] {
            #expect(Self.failure { $0.routes[0].methods = ["GET", method] } == "routes[0].methods[1]: invalid_method", "\(method)")
        }
        for host in ["", "*", "*.", "a:80", "*.a.*", "a*.b", "https://a", "a.", "*.*.a"] {
            #expect(Self.failure { $0.routes[0].hosts = [host] } == "routes[0].hosts[0]: invalid_host", "\(host)")
        }
        #expect(Self.failure { $0.routes[0].fields = [Field("a b", "c")] } == "routes[0].fields[0]: invalid_field_name")
    }

    @Test
    func aCoreIsNotMadeFromAFaultyConfiguration() {
        #expect(throws: ConfigurationFault.self) { try Scene(cold: Scene.configuration { $0.routes = [] }) }
    }
}
