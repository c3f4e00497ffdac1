import Gateway
import Testing

/// What each gateway sends and takes.
struct ProfileTests {
    private static let forwarded = [
        ("X-Forwarded-Method", "POST"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "api.example"), ("X-Forwarded-Uri", "/a?b=c"),
        ("X-Forwarded-For", "192.0.2.1"), ("Authorization", "Bearer t"), ("X-Original-URI", "/evil"),
    ]
    private static let original = [
        ("X-Original-URI", "/a?b=c"), ("X-Original-Method", "POST"), ("Authorization", "Bearer t"), ("X-Forwarded-Uri", "/evil"),
        ("X-Forwarded-Method", "GET"), ("Connection", "close"),
    ]

    private static func request(
        _ fields: [(String, String)], _ target: String = "/auth", method: String = "GET", host: String = "api.example"
    ) -> ProfileRequest {
        ProfileRequest(method: method, host: host, target: target, fields: fields.map { Field($0.0, $0.1) })
    }

    private static func facts(_ profile: GatewayProfile, _ request: ProfileRequest) -> RequestFacts? {
        do throws(Denial) {
            return try profile.facts(from: request)
        } catch {
            #expect(error.reason == .malformedRequest)
            #expect(error.status == 400)
            return nil
        }
    }

    @Test
    func nginxDescribesTheRequestInItsOwnFields() {
        let facts = Self.facts(GatewayProfile(.nginx), Self.request(Self.original))
        #expect(facts?.method == "POST")
        #expect(facts?.target == "/a?b=c")
        #expect(facts?.host == "api.example")
        #expect(facts?.fields.map(\.name) == ["authorization", "x-forwarded-uri", "x-forwarded-method", "connection"])
    }

    @Test(arguments: [GatewayProfile.Kind.traefik, .caddy, .apisix])
    func proxiesDescribeTheRequestInForwardedFields(kind: GatewayProfile.Kind) {
        let facts = Self.facts(GatewayProfile(kind), Self.request(Self.forwarded, host: "assay:9000"))
        #expect(facts?.method == "POST")
        #expect(facts?.scheme == "https")
        #expect(facts?.target == "/a?b=c")
        #expect(facts?.host == "api.example")
        #expect(facts?.fields.map(\.name) == ["authorization", "x-original-uri"])
    }

    @Test
    func envoySendsTheRequestItself() {
        var profile = GatewayProfile(.envoy)
        profile.pathPrefix = "/check"
        let fields = [("Authorization", "Bearer t"), ("X-Envoy-Internal", "true"), ("X-Forwarded-Uri", "/evil"), ("Content-Length", "0")]
        let facts = Self.facts(profile, Self.request(fields, "/check/a?b=c", method: "PUT"))
        #expect(facts?.method == "PUT")
        #expect(facts?.target == "/a?b=c")
        #expect(facts?.fields.map(\.name) == ["authorization", "x-forwarded-uri"])
        for target in ["/a", "/check", "/checked/a", "/check?a", ""] {
            #expect(Self.facts(profile, Self.request(fields, target)) == nil, "\(target)")
        }
        #expect(Self.facts(GatewayProfile(.envoy), Self.request([], "/a"))?.target == "/a")
    }

    @Test(arguments: GatewayProfile.Kind.allCases)
    func aCertificateIsReadFromTheOneFieldOfTheGateway(kind: GatewayProfile.Kind) {
        let own = kind == .nginx ? Array(Self.original.prefix(2)) : kind == .envoy ? [] : Array(Self.forwarded.prefix(4))
        var profile = GatewayProfile(kind)
        let fields = own + [("X-Client-Cert", "a"), ("Client-Cert", "b")]
        #expect(Self.facts(profile, Self.request(fields))?.certificate == nil)
        profile.certificateField = CertificateField(name: "X-Client-Cert", form: .derBase64)
        let facts = Self.facts(profile, Self.request(fields))
        #expect(facts?.certificate == ClientCertificate(.derBase64, "a"))
        #expect(facts?.fields.map(\.name) == ["client-cert"])
        #expect(Self.facts(profile, Self.request(own))?.certificate == nil)
        #expect(Self.facts(profile, Self.request(own + [("X-Client-Cert", "")]))?.certificate == nil)
        for second in ["a", "b", ""] {
            #expect(Self.facts(profile, Self.request(own + [("X-Client-Cert", "a"), ("x-client-cert", second)])) == nil, "\(second)")
        }
    }

    /// An older file lets the client's own field through, and says so by its list.
    @Test(arguments: GatewayProfile.Kind.allCases)
    func aCertificateCountsWhereTheFileSaysThatItSetsTheField(kind: GatewayProfile.Kind) {
        var profile = GatewayProfile(kind)
        #expect(profile.setsCertificate(HandledFields("x-user")))
        profile.certificateField = CertificateField(name: "X-Client-Cert", form: .derBase64)
        #expect(profile.setsCertificate(nil) && profile.setsCertificate(HandledFields("x-user, X-Client-Cert")))
        for text in ["", "x-user", "*", "x-*", "x-client-cert*", "x-client-certificate"] {
            #expect(profile.setsCertificate(HandledFields(text)) == (kind == .envoy), "\(text)")
        }
    }

    @Test
    func aFieldOfTheGatewayIsThereOnce() {
        for (kind, fields) in [
            (.nginx, Array(Self.original.prefix(2))), (.traefik, Array(Self.forwarded.prefix(4))),
            (.caddy, Array(Self.forwarded.prefix(4))),
            (.apisix, Array(Self.forwarded.prefix(4))),
        ] as [(GatewayProfile.Kind, [(String, String)])] {
            #expect(Self.facts(GatewayProfile(kind), Self.request(fields)) != nil)
            for place in fields.indices {
                var less = fields, empty = fields
                less.remove(at: place)
                empty[place].1 = ""
                #expect(Self.facts(GatewayProfile(kind), Self.request(less)) == nil, "\(kind) \(fields[place].0)")
                #expect(Self.facts(GatewayProfile(kind), Self.request(empty)) == nil, "\(kind) \(fields[place].0)")
                #expect(Self.facts(GatewayProfile(kind), Self.request(fields + [fields[place]])) == nil, "\(kind) \(fields[place].0)")
            }
        }
        #expect(Self.facts(GatewayProfile(.nginx), Self.request(Self.original, host: "")) == nil)
        #expect(Self.facts(GatewayProfile(.nginx), Self.request(Self.original + [("Host", "evil.example")])) == nil)
        #expect(Self.facts(GatewayProfile(.nginx), Self.request(Self.original + [("Host", "api.example")])) != nil)
    }

    @Test(arguments: [
        (GatewayProfile.Kind.nginx, ["x-original-uri", "x-original-more"], ["x-forwarded-uri", "x-envoy-internal"]),
        (.traefik, ["x-forwarded-uri", "x-forwarded-for"], ["x-original-uri", "x-envoy-internal"]),
        (.caddy, ["x-forwarded-uri", "x-forwarded-for"], ["x-original-uri", "x-envoy-internal"]),
        (.apisix, ["x-forwarded-uri", "x-forwarded-for"], ["x-original-uri", "x-envoy-internal"]),
        (.envoy, ["x-envoy-internal", "x-forwarded-for"], ["x-original-uri", "x-forwarded-uri"]),
    ])
    func noRouteGetsAFieldOfTheGateway(kind: GatewayProfile.Kind, own: [String], clients: [String]) {
        var profile = GatewayProfile(kind)
        profile.contextFields = ["x-gate-route": "route"]
        for name in own + ["host", "te", "content-length", "x-gate-route"] { #expect(profile.isOfGateway(name), "\(name)") }
        for name in clients + ["authorization", "x-version"] { #expect(!profile.isOfGateway(name), "\(name)") }
    }

    @Test
    func contextComesFromNamedFieldsOnly() {
        var profile = GatewayProfile(.nginx)
        profile.contextFields = ["x-gate-route": "route"]
        let facts = Self.facts(profile, Self.request(Self.original + [("X-Gate-Route", "admin"), ("route", "x")]))
        #expect(facts?.context == ["route": "admin"])
        #expect(facts?.fields.contains { $0.name == "x-gate-route" } == false)
        #expect(Self.facts(profile, Self.request(Self.original))?.context == [:])
        #expect(Self.facts(profile, Self.request(Self.original + [("X-Gate-Route", "a"), ("x-gate-route", "b")])) == nil)
    }

    /// A field that only the gateway sets has one value, and of a list the gateway has written the last element.
    @Test(
        arguments: [
            (.traefik, nil, [("X-Forwarded-For", "198.51.100.1, 192.0.2.7")], "192.0.2.7"),
            (.apisix, nil, [("X-Forwarded-For", "192.0.2.7")], "192.0.2.7"),
            (.traefik, nil, [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "192.0.2.7")], nil),
            (.traefik, "x-real-ip", [("X-Forwarded-For", "198.51.100.1"), ("X-Real-IP", "192.0.2.7")], "192.0.2.7"),
            (.traefik, "x-real-ip", [("X-Forwarded-For", "192.0.2.7")], nil), (.caddy, nil, [("X-Forwarded-For", "192.0.2.7")], nil),
            (.caddy, "x-forwarded-for", [("X-Forwarded-For", "198.51.100.1,192.0.2.7 ")], "192.0.2.7"),
            (.nginx, nil, [("X-Forwarded-For", "192.0.2.7"), ("X-Real-IP", "192.0.2.7")], nil),
            (.envoy, nil, [("X-Forwarded-For", "192.0.2.7")], nil), (.nginx, "x-real-ip", [], nil),
        ] as [(GatewayProfile.Kind, String?, [(String, String)], String?)])
    func theClientIsWhatOnlyTheGatewayCanTell(
        kind: GatewayProfile.Kind, field: String?, fields: [(String, String)], client: String?
    ) {
        #expect(GatewayProfile(kind).client(of: Self.request(fields), in: field) == client)
    }

    private static let admission = Admission(
        policy: "main", fields: [Field("x-user", "u"), Field("x-roles", "")], removed: ["authorization", "x-t"], provider: "a", waived: nil)

    @Test(arguments: GatewayProfile.Kind.allCases)
    func anAdmissionIs200WithEveryField(kind: GatewayProfile.Kind) {
        let reply = GatewayProfile(kind).reply(to: .allowed(Self.admission))
        // Envoy removes fields without a value: it would take an empty one only where its file names the field.
        let rest =
            kind == .envoy
            ? [Field("x-envoy-auth-headers-to-remove", "authorization,x-t,x-roles")]
            : [Field("x-roles", ""), Field("authorization", ""), Field("x-t", "")]
        #expect(reply.status == 200)
        #expect(reply.fields == [Field("x-user", "u")] + rest + [Field("cache-control", "no-store")])
    }

    /// The fields that a gateway's file says it handles. A claim in another one is found.
    @Test(arguments: [
        ("x-user", true), ("X-User", true), ("x-user x-roles", true), ("x-roles,x-user", true), ("x-*", true), ("*", true), ("x-us*", true),
        ("", false), ("x-use", false), ("x-users", false), ("x-user*y", false), ("x-auth-*", false),
    ])
    func aClaimInAFieldThatTheFileDoesNotHandleIsFound(declared: String, isHandled: Bool) async throws {
        let scene = try await Scene(
            Scene.configuration { $0.providers[0].claimHeaders = [ClaimHeader("X-User", path: [.member("sub")])] })
        for kind in GatewayProfile.Kind.allCases {
            let handled = try GatewayProfile(kind).handledFields(Self.request([("X-Assay-Fields", declared)]))
            #expect(handled.map(scene.core.fields(without:)) == (isHandled ? [] : ["x-user"]))
        }
    }

    /// A file that says nothing is trusted, but for Envoy's, whose one pattern is known.
    @Test(arguments: GatewayProfile.Kind.allCases)
    func aFileThatNamesNoFields(kind: GatewayProfile.Kind) throws {
        let profile = GatewayProfile(kind)
        #expect(try profile.handledFields(Self.request([])).map { $0.contains("x-user") } == (kind == .envoy ? false : nil))
        #expect(throws: Denial.self) {
            try profile.handledFields(Self.request([("X-Assay-Fields", "a"), ("x-assay-fields", "b")]))
        }
        #expect(profile.isOfGateway("x-assay-fields"))
    }

    @Test(arguments: [
        (GatewayProfile.Kind.nginx, [400: 403, 401: 401, 403: 403, 503: 403]), (.traefik, [400: 400, 401: 401, 403: 403, 503: 503]),
        (.caddy, [400: 400, 401: 401, 403: 403, 503: 503]), (.apisix, [400: 400, 401: 401, 403: 403, 503: 503]),
        (.envoy, [400: 400, 401: 401, 403: 403, 503: 403]),
    ])
    func aRefusalHasTheStatusThatTheGatewayCarries(kind: GatewayProfile.Kind, statuses: [Int: Int]) {
        for (meant, sent) in statuses {
            let denial = Denial(
                policy: "main", reason: .missingToken, status: meant, challenge: "Bearer", retryAfter: .seconds(3))
            let reply = GatewayProfile(kind).reply(to: .denied(denial))
            #expect(reply.status == sent)
            #expect(reply.fields.contains(Field("x-assay-status", "\(meant)")) == (meant != sent))
            #expect(reply.fields.contains(Field("x-assay-code", "missing_token")))
            #expect(reply.fields.contains(Field("www-authenticate", "Bearer")))
            #expect(reply.fields.contains(Field("retry-after", "3")))
        }
    }

    /// nginx takes no redirect of `auth_request`; its file makes one.
    @Test(arguments: GatewayProfile.Kind.allCases)
    func aBrowserIsRedirectedAsTheGatewayCanDoIt(kind: GatewayProfile.Kind) {
        let denial = Denial(policy: "main", reason: .missingToken, status: 302, location: "/login")
        let reply = GatewayProfile(kind).reply(to: .denied(denial))
        let isNginx = kind == .nginx
        #expect(reply.status == (isNginx ? 401 : 302))
        #expect(
            reply.fields == [Field("x-assay-code", "missing_token")] + (isNginx ? [Field("x-assay-status", "302")] : [])
                + [
                    Field(isNginx ? "x-assay-location" : "location", "/login"), Field("vary", "Accept, Sec-Fetch-Mode"),
                    Field("cache-control", "no-store"),
                ])
    }

    /// The scheme is the gateway's word. Older files of nginx do not say it.
    @Test(
        arguments: [
            (.nginx, [("X-Original-Scheme", "https")], "https"), (.nginx, [], nil), (.nginx, [("X-Forwarded-Proto", "https")], nil),
            (.envoy, [("X-Forwarded-Proto", "http")], "http"), (.envoy, [("X-Original-Scheme", "http")], nil),
        ] as [(GatewayProfile.Kind, [(String, String)], String?)])
    func theSchemeIsTheGateways(kind: GatewayProfile.Kind, fields: [(String, String)], scheme: String?) throws {
        let facts = try #require(Self.facts(GatewayProfile(kind), Self.request(Self.original + fields)))
        #expect(facts.scheme == scheme)
        #expect(Self.facts(GatewayProfile(kind), Self.request(Self.original + fields + fields))?.scheme == nil)
    }

    @Test
    func aWaivedRefusalIsNamed() {
        let waived = Admission(
            policy: "main", fields: [], removed: [], provider: nil, waived: Denial(policy: "main", reason: .revoked, status: 401))
        #expect(GatewayProfile(.caddy).reply(to: .allowed(waived)).fields.contains(Field("x-assay-waived", "revoked")))
    }
}
