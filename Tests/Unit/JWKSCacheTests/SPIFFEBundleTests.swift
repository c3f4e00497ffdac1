import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Bundles of trust domains (SPIFFE Trust Domain and Bundle, section 4): sets with a sequence number, a refresh hint and their own uses.
struct SPIFFEBundleTests {
    /// A bundle of the keys at `places`, each for JWT-SVIDs.
    private static func bundle(_ places: Int..., sequence: String? = nil, hint: String? = nil) -> String {
        let members = [sequence.map { "\"spiffe_sequence\":\($0)," }, hint.map { "\"spiffe_refresh_hint\":\($0)," }].compactMap { $0 }
            .joined()
        return "{\(members)\"keys\":[\(places.map(jwk).joined(separator: ","))]}"
    }

    private static func jwk(_ place: Int) -> String { KeyPool.forges[place].jwk.replacing("\"use\":\"sig\"", "\"use\":\"jwt-svid\"") }

    @Test
    func anOlderBundleDoesNotReplaceANewerOne() throws {
        let driven = DrivenCore(format: .spiffeBundle)
        #expect(try driven.fetch(Self.bundle(0, sequence: "7")) == ["installed"])
        #expect(try driven.fetch(Self.bundle(1, sequence: "6")) == ["failed: older_sequence"])
        #expect(driven.names == ["key-0"])
        #expect(try driven.fetch(Self.bundle(0, sequence: "7")) == ["confirmed"])
        #expect(try driven.fetch(Self.bundle(1, sequence: "8")) == ["installed"])
        #expect(try driven.fetch(Self.bundle(0, sequence: "7")) == ["failed: older_sequence"])
        #expect(driven.names == ["key-1"])
    }

    @Test
    func anOlderBundleIsOlderStillWhenTheNewerOneHasEnded() throws {
        let driven = DrivenCore(.revocationFirst, format: .spiffeBundle)
        try driven.fetch(Self.bundle(0, sequence: "7"))
        driven.now += .seconds(400)
        driven.tick()
        #expect(driven.names.isEmpty)
        driven.now += .seconds(400)
        driven.tick()
        #expect(try driven.fetch(Self.bundle(1, sequence: "6")) == ["failed: older_sequence"])
        #expect(try driven.fetch(Self.bundle(1, sequence: "7")) == ["installed"])
    }

    @Test
    func aBundleWithoutANumberIsTaken() throws {
        let driven = DrivenCore(format: .spiffeBundle)
        try driven.fetch(Self.bundle(0, sequence: "7"))
        #expect(try driven.fetch(Self.bundle(1)) == ["installed"])
        #expect(try driven.fetch(Self.bundle(0, sequence: "6")) == ["failed: older_sequence"])
    }

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("9007199254740992", 9_007_199_254_740_992), ("1e3", 1_000), ("-1", nil), ("1.5", nil), ("1e300", nil),
            ("\"7\"", nil), ("null", nil), ("[]", nil),
        ] as [(String, UInt64?)])
    func numbersAreWhole(text: String, number: UInt64?) throws {
        let document = try KeyDocument(Array(Self.bundle(0, sequence: text, hint: text).utf8), .spiffeBundle, reusing: nil)
        #expect(document.sequence == number)
        #expect(document.refreshHint == number.map { .seconds(Int64($0)) })
    }

    @Test
    func aPlainSetHasNoNumber() throws {
        let document = try KeyDocument(Array("{\"spiffe_sequence\":7,\"spiffe_refresh_hint\":7,\"keys\":[]}".utf8), .jwks, reusing: nil)
        #expect(document.sequence == nil)
        #expect(document.refreshHint == nil)
    }

    @Test(arguments: [("0", 60), ("1", 60), ("60", 60), ("120", 120), ("3600", 3_600), ("2419200", 3_600), ("-5", 900), ("\"\"", 900)])
    func theHintStandsForWhatHTTPSays(hint: String, lifetime: Int) throws {
        let driven = DrivenCore(format: .spiffeBundle)
        try driven.fetch(Self.bundle(0, hint: hint), lifetime: .seconds(900))
        #expect(driven.lifetime == .seconds(lifetime))
    }

    @Test
    func theHintHoldsForANotModified() throws {
        let driven = DrivenCore(format: .spiffeBundle)
        try driven.fetch(Self.bundle(0, hint: "120"), lifetime: .seconds(900))
        try driven.notModified()
        #expect(driven.lifetime == .seconds(120))
        try driven.notModified(lifetime: .seconds(900))
        #expect(driven.lifetime == .seconds(120))
    }

    /// Section 4.2: `use` is required, unknown values are ignored.
    @Test(
        arguments: [
            ("\"use\":\"jwt-svid\"", nil), ("\"use\":\"x509-svid\"", .keyUseMismatch), ("\"use\":\"sig\"", .keyUseMismatch),
            ("\"use\":\"JWT-SVID\"", .keyUseMismatch), ("\"use\":\"other\"", .keyUseMismatch),
            ("\"x\":\"\",\"kty\":\"other\"", .keyAlgorithmMismatch),
            ("\"x5t\":\"\"", .keyUseMismatch),
        ] as [(String, VerificationError.Code?)])
    func keysOfJWTsAloneCount(members: String, refusal: VerificationError.Code?) throws {
        let jwk = KeyPool.forges[0].jwk.replacing("\"use\":\"sig\"", members).replacing(
            "\"kty\":\"EC\",", members.contains("kty") ? "" : "\"kty\":\"EC\","
        )
        .replacing("\"x\":\"\",", "")
        let text = "{\"keys\":[\(jwk),\(Self.jwk(1))]}"
        let document = try KeyDocument(Array(text.utf8), .spiffeBundle, reusing: nil)
        #expect(document.keys.keys.map(\.unusableReason) == [refusal, nil])
    }

    /// Section 4: an empty array revokes all keys. Keys of X.509-SVIDs are none of a JWT-SVID.
    @Test(arguments: ["", "{\"use\":\"x509-svid\"}", "{\"kty\":\"EC\"}"])
    func aBundleWithoutKeysForJWTsRevokesAll(keys: String) throws {
        let driven = DrivenCore(format: .spiffeBundle)
        try driven.fetch(Self.bundle(0, sequence: "7"))
        #expect(try driven.fetch("{\"spiffe_sequence\":8,\"keys\":[\(keys)]}") == ["installed"])
        #expect(driven.core.keys?.keys.contains { $0.unusableReason == nil } == false)
        #expect(try driven.fetch(Self.bundle(0, sequence: "7")) == ["failed: older_sequence"])
    }

    @Test
    func aBundleWithUnusableKeysForJWTsIsAMistake() throws {
        let driven = DrivenCore(format: .spiffeBundle)
        try driven.fetch(Self.bundle(0))
        #expect(try driven.fetch("{\"keys\":[{\"kty\":\"?\",\"use\":\"jwt-svid\"}]}") == ["failed: no_usable_key"])
        #expect(driven.names == ["key-0"])
    }

    @Test
    func tokensAreVerifiedByABundleFromAnAddress() async {
        let transport = ScriptedTransport()
        transport.answer("https://domain.example/bundle", Self.bundle(0, sequence: "1", hint: "300"))
        let observed = ObservedKeys([.spiffeBundle(url: "https://domain.example/bundle")], transport: transport)
        #expect(await observed.keys.ready(within: .seconds(1)))
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }

    // Files of go-spiffe

    /// The number of usable keys in a bundle; nil if the document is not a bundle.
    @Test(
        .enabled(if: ConformanceFolder.isThere),
        arguments: [
            ("spiffebundle_valid_1", 2, 1), ("spiffebundle_missing_kid", 2, 1), ("spiffebundle_no_keys", nil, 0), ("jwks_valid_1", 1, 0),
            ("jwks_missing_kid", 2, 0),
        ] as [(String, Int?, Int)])
    func publishedBundlesLoad(name: String, count: Int?, usable: Int) {
        let document = try? KeyDocument(ConformanceFolder.bytes("jwks/spiffe/\(name).json"), .spiffeBundle, reusing: nil)
        #expect(document?.keys.keys.count == count)
        #expect(document?.keys.keys.count { $0.unusableReason == nil } ?? 0 == usable)
    }
}
