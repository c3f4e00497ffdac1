import IDaaSFlows
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

@Suite struct IDTokenTests {
    private static let now = Tenant.start
    private static let other = KeyPool.forges[1]
    private static let rsa512 = TokenForge(.rs512, keyID: "rsa")

    /// A token with the code of the documents.
    static let verdicts: [(String, String, String)] = [
        ("a good one", Tenant.idToken(), "0"),
        ("nothing", "", "1"),
        ("no JWS", "abc", "103"),
        ("an encrypted one", "a.b.c.d.e", "103"),
        ("alg none", Tenant.forge.token(header: #"{"alg":"none"}"#), "103"),
        ("HMAC", TokenForge(.hs256, keyID: "key-0").token(Tenant.claims()), "103"),
        ("an algorithm that is not allowed", TokenForge(.ps256, keyID: "key-0").token(Tenant.claims()), "103"),
        ("an unknown critical parameter", Tenant.forge.token(header: #"{"alg":"ES256","kid":"key-0","crit":["x"],"x":1}"#), "103"),
        ("an access token", Tenant.forge.token(Tenant.claims(), type: "at+jwt"), "103"),
        ("a key that nobody has", Tenant.forge.token(header: #"{"alg":"ES256","kid":"nobody"}"#, payload: Tenant.claims()), "102"),
        ("another's signature", other.token(header: #"{"alg":"ES256","kid":"key-0"}"#, payload: Tenant.claims()), "103"),
        ("another issuer", Tenant.idToken(["iss": "https://evil.example"]), "103"),
        ("no subject", Tenant.idToken(["sub": nil]), "103"),
        ("expired", Tenant.idToken(["exp": now - 120]), "106"),
        ("expired within the leeway", Tenant.idToken(["exp": now - 119]), "0"),
        ("no expiry", Tenant.idToken(["exp": nil]), "106"),
        ("issued in the future", Tenant.idToken(["iat": now + 121]), "106"),
        ("issued ahead within the leeway", Tenant.idToken(["iat": now + 120]), "0"),
        ("not valid yet", Tenant.idToken(["nbf": now + 121]), "106"),
        ("another client's", Tenant.idToken(["aud": "client-2"]), "107"),
        ("another client's besides", Tenant.idToken(["aud": ["client-1", "client-2"]]), "107"),
        ("issued to another", Tenant.idToken(["azp": "client-2"]), "107"),
        ("no audience", Tenant.idToken(["aud": nil]), "107"),
        ("expired and another client's", Tenant.idToken(["aud": "client-2", "exp": now - 120]), "106"),
        ("another issuer's and expired", Tenant.idToken(["iss": "https://evil.example", "exp": now - 120]), "103"),
        ("forged and expired", other.token(header: #"{"alg":"ES256","kid":"key-0"}"#, payload: Tenant.claims(["exp": now - 999])), "103"),
        (
            "forged and another client's", other.token(header: #"{"alg":"ES256","kid":"key-0"}"#, payload: Tenant.claims(["aud": "x"])),
            "103"
        ),
    ]

    @Test(arguments: verdicts)
    func eachFaultOfATokenHasItsDocumentedCode(_ name: String, token: String, code: String) async throws {
        let tenant = try Tenant()
        let outcome = await tenant.flows.identity.verify(token)
        #expect(outcome.legacyCode == code, "\(name): \(outcome)")
        #expect((outcome.failure == nil) == (code == "0"))
    }

    @Test
    func aTimeOfTheFutureIsToldApartFromAnExpiry() async throws {
        let identity = try Tenant().flows.identity
        guard case .notYetValid = await identity.verify(Tenant.idToken(["nbf": Self.now + 121])) else {
            Issue.record("a token of the future is not called not yet valid")
            return
        }
        guard case .expired = await identity.verify(Tenant.idToken(["exp": Self.now - 120])) else {
            Issue.record("a token past its time is not called expired")
            return
        }
    }

    @Test
    func withoutKeysTheCodeIs102AndTheSameTokenPassesWhenThereAreSome() async throws {
        let tenant = try Tenant()
        tenant.documents.answer(Tenant.issuer + "/.well-known/openid-configuration", .failure(.init(.connection)))
        let outcome = await tenant.flows.identity.verify(Tenant.idToken())
        #expect(outcome.legacyCode == "102" && outcome.failure?.isRetryable == true)
        tenant.publish([Tenant.forge.jwk])
        #expect(await tenant.flows.identity.keys.refresh())
        #expect(await tenant.flows.identity.verify(Tenant.idToken()).legacyCode == "0")
    }

    @Test
    func aKeyThatTheIssuerDoesNotHaveIs102AndTryingAgainDoesNotHelp() async throws {
        let token = Tenant.forge.token(header: #"{"alg":"ES256","kid":"nobody"}"#, payload: Tenant.claims())
        let outcome = await (try Tenant()).flows.identity.verify(token)
        guard case .unknownKey = outcome else {
            Issue.record("the key is not called unknown: \(outcome)")
            return
        }
        #expect(outcome.legacyCode == "102" && outcome.failure?.isRetryable == false)
    }

    @Test
    func aKeyThatIsNewSinceIsFetchedOnceAndFound() async throws {
        let tenant = try Tenant()
        #expect(await tenant.flows.identity.verify(Tenant.idToken()).legacyCode == "0")
        let fetches = tenant.documents.requests.count
        tenant.publish([Tenant.forge.jwk, Self.other.jwk])
        #expect(await tenant.flows.identity.verify(Tenant.idToken(Self.other)).legacyCode == "0")
        #expect(tenant.documents.requests.count == fetches + 1)
    }

    @Test
    func aVerificationThatIsCancelledWhileItWaitsForKeysEnds() async throws {
        let tenant = try Tenant()
        tenant.documents.hold()
        let task = Task { await tenant.flows.identity.verify(Tenant.idToken()) }
        #expect(await settles { !tenant.documents.requests.isEmpty })
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("a cancelled verification does not end as cancelled")
            return
        }
        tenant.documents.release()
    }

    @Test
    func rs512IsAllowedByDefault() async throws {
        let tenant = try Tenant()
        tenant.publish([Self.rsa512.jwk])
        #expect(await tenant.flows.identity.verify(Tenant.idToken(Self.rsa512)).legacyCode == "0")
    }

    @Test(arguments: [
        (#"["RS256"]"#, "103"), (#"["RS256","ES256"]"#, "0"), (#"["HS256","none"]"#, "103"), (#"[]"#, "103"),
    ])
    func discoveryNarrowsTheAlgorithmsAndAddsNone(_ list: String, code: String) async throws {
        let tenant = try Tenant()
        tenant.publish([Tenant.forge.jwk], algorithms: list)
        #expect(await tenant.flows.identity.verify(Tenant.idToken()).legacyCode == code)
    }

    /// A second process has the stored keys, and no network.
    @Test(arguments: [(#"["RS256"]"#, "103"), (#"["RS256","ES256"]"#, "0")])
    func theListOutlivesTheProcessAsTheKeysDo(_ list: String, code: String) async throws {
        let folder = try TemporaryFolder(), store = MemorySessionStore()
        let storage = KeySetStorage(path: folder.path + "/keys")
        let first = try Tenant(store: store, keyStorage: storage)
        first.publish([Tenant.forge.jwk], algorithms: list)
        #expect(await first.flows.identity.verify(Tenant.idToken()).legacyCode == code)
        #expect(await settles { !folder.read("keys").isEmpty })
        let second = try Tenant(store: store, keyStorage: storage)
        second.documents.hold()
        #expect(await second.flows.identity.verify(Tenant.idToken()).legacyCode == code)
        second.documents.release()
    }

    @Test
    func hmacIsNeverAllowedWhateverIsConfigured() async throws {
        let hmac = TokenForge(.hs256, keyID: "key-0")
        let tenant = try Tenant { $0.algorithms = [.hs256, .es256] }
        tenant.publish([hmac.jwk])
        #expect(await tenant.flows.identity.verify(hmac.token(Tenant.claims())).legacyCode != "0")
    }

    @Test
    func theNonceOfTheLoginIsTheTokens() async throws {
        let identity = try Tenant().flows.identity
        #expect(await identity.verify(Tenant.idToken(["nonce": "n"]), nonce: "n").legacyCode == "0")
        #expect(await identity.verify(Tenant.idToken(["nonce": "m"]), nonce: "n").legacyCode == "103")
        #expect(await identity.verify(Tenant.idToken(), nonce: "n").legacyCode == "103")
    }

    @Test
    func aClockThatIsAnHourSlowIsCorrectedByTheServersDate() async throws {
        let tenant = try Tenant()
        let token = Tenant.idToken(at: Self.now + 3_600)
        #expect(await tenant.flows.identity.verify(token).legacyCode == "106")
        tenant.server.answer(Path.date, .json(#"{"timestamp":"\#((Self.now + 3_600) * 1_000)"}"#))
        _ = await tenant.flows.synchroniseClock()
        #expect(await tenant.flows.identity.verify(token).legacyCode == "0")
    }

    @Test
    func theIssuersAnswerWithItsKeysTellsItsDateAndNobodyElsesDoes() async throws {
        let token = Tenant.idToken(at: Self.now + 3_600)
        // An hour ahead of the clock's start.
        let fields = [HeaderField("Date", "Tue, 14 Nov 2023 23:15:00 GMT")]
        let tenant = try Tenant()
        tenant.documents.answer(Tenant.issuer + "/keys", KeyPool.document([Tenant.forge.jwk]), fields: fields)
        #expect(await tenant.flows.identity.verify(token).legacyCode == "0")
        let elsewhere = try Tenant { $0.keysURL = "https://keys.example/keys" }
        elsewhere.documents.answer("https://keys.example/keys", KeyPool.document([Tenant.forge.jwk]), fields: fields)
        #expect(await elsewhere.flows.identity.verify(token).legacyCode == "106" && elsewhere.flows.clockOffset == .zero)
    }

    @Test
    func whoATokenIsOfIsWhatItSaysAnEmptyTextBeingNothing() async throws {
        let claims: [String: (any Sendable)?] = ["auth_time": Self.now - 9, "sid": "sid-1", "amr": ["sms"]]
        let user = try await Tenant().flows.identity.userInfo(of: Tenant.idToken(claims)).get()
        #expect(user.id == "u-1" && user.name == "Jane" && user.mobile == "+86-13800000000" && user.userName == "jane" && user.email == nil)
        #expect(user.expiresAt == Self.now + 3_600 && user.issuedAt == Self.now && user.authenticatedAt == Self.now - 9)
        #expect(user.sessionID == "sid-1")
        #expect(try await Tenant().flows.identity.userInfo(of: Tenant.idToken(["id": nil, "sub": "u-2"])).get().id == "u-2")
    }

    // The employee edition's old tokens.

    static let legacyUser = #"{"name":"王","mobile":"+86-13800000000","id":"e-7","userName":"wang"}"#

    static let legacyVerdicts: [(String, [String: (any Sendable)?], String)] = [
        ("the vendor's form", [:], "0"), ("another issuer", ["iss": Tenant.issuer], "103"),
        ("another audience", ["aud": "client-1"], "107"),
        ("no user", ["api": nil], "103"), ("a user without an id", ["api": #"{"name":"x"}"#], "103"),
        ("expired", ["exp": now - 120], "106"),
    ]

    @Test(arguments: legacyVerdicts.indices)
    func anOldTokenIsOneUnderItsProfileToTheLetter(_ index: Int) async throws {
        let (name, changes, code) = Self.legacyVerdicts[index]
        let old: [String: (any Sendable)?] = ["iss": "Issuer", "aud": "Audience", "sub": "subject", "api": Self.legacyUser, "id": nil]
        let token = Tenant.idToken(old.merging(changes) { $1 })
        let tenant = try Tenant { $0.profile = .legacyEIAM }
        let outcome = await tenant.flows.identity.verify(token)
        #expect(outcome.legacyCode == code, "\(name)")
        if code == "0" { #expect(try outcome.get().id == "e-7") }
        #expect(Set(tenant.documents.requests.map(\.url)) == [Tenant.issuer + "/keys"])
        let strict = changes["iss"] == nil ? "103" : "107"
        #expect(try await Tenant().flows.identity.verify(token).legacyCode == strict, "never without its profile")
    }

    @Test
    func keysMayBeElsewhereThanWhereDiscoveryIs() async throws {
        let tenant = try Tenant {
            $0.issuer = "https://old.example/oauth2"
            $0.keysURL = "https://tenant.example/keys"
        }
        tenant.documents.answer("https://tenant.example/keys", KeyPool.document([Tenant.forge.jwk]))
        #expect(await tenant.flows.identity.verify(Tenant.idToken(["iss": "https://old.example/oauth2"])).legacyCode == "0")
    }
}

extension Tenant {
    static func idToken(_ forge: TokenForge) -> String { forge.token(claims()) }
}
