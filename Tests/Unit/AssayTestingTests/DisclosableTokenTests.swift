import AssayTesting
import JWTCore
import SelectiveDisclosure
import Testing

/// SD-JWTs for tests pass the verifier of production.
struct DisclosableTokenTests {
    private static let now: NumericDate = 1_700_000_000
    private let issuer: TestKey
    private let holder: TestKey

    init() throws {
        issuer = try TestKey(.es256)
        holder = try TestKey(.edDSA, keyID: nil)
    }

    private func credential(hiding paths: [String], decoys: Int = 0) throws -> DisclosableToken {
        try issuer.disclosableToken(
            claims: [
                "iss": "https://idp.example", "exp": 1_700_003_600, "given_name": "Jane",
                "address": ["country": "DE", "city": "Köln"], "nationalities": ["DE", "FR"],
            ], hiding: paths, holder: holder, decoys: decoys)
    }

    private func verifier(_ keyBinding: PresentationPolicy.KeyBinding) throws -> PresentationVerifier<KeySet> {
        var claims = ClaimsPolicy()
        claims.issuers = ["https://idp.example"]
        claims.types = ["dc+sd-jwt"]
        return PresentationVerifier(keys: try issuer.keySet, policy: PresentationPolicy(claims: claims, keyBinding: keyBinding))
    }

    /// The claims that a verifier reads, without `cnf`, `exp` and `iss`.
    private func claims(_ presentation: String) throws -> String {
        let payload = try verifier(.absent).verify(presentation, now: Self.now).payload
        let members = try #require(try JSONTree(parsing: payload).members).filter { !["cnf", "exp", "iss"].contains($0.key) }
        return String(decoding: JSONTree.object(members).json, as: UTF8.self)
    }

    @Test(arguments: [
        ([String](), #"{"address":{"city":"Köln"},"nationalities":["FR"]}"#),
        (["given_name"], #"{"address":{"city":"Köln"},"given_name":"Jane","nationalities":["FR"]}"#),
        (["address.country"], #"{"address":{"city":"Köln","country":"DE"},"nationalities":["FR"]}"#),
        (["nationalities.0", "unknown"], #"{"address":{"city":"Köln"},"nationalities":["DE","FR"]}"#),
    ])
    func aPresentationHasWhatTheHolderShows(paths: [String], expected: String) throws {
        let credential = try credential(hiding: ["given_name", "address.country", "nationalities.0"], decoys: 3)
        #expect(try claims(credential.presentation(disclosing: paths)) == expected)
    }

    @Test
    func whatIsAroundIsShownToo() throws {
        let credential = try credential(hiding: ["address", "address.country", "given_name"])
        #expect(try claims(credential.presentation(disclosing: ["address"])) == #"{"address":{"city":"Köln"},"nationalities":["DE","FR"]}"#)
        #expect(
            try claims(credential.presentation(disclosing: ["address.country"]))
                == #"{"address":{"city":"Köln","country":"DE"},"nationalities":["DE","FR"]}"#)
        #expect(
            try claims(credential.issued)
                == #"{"address":{"city":"Köln","country":"DE"},"given_name":"Jane","nationalities":["DE","FR"]}"#)
    }

    @Test
    func aHolderProvesItsKey() throws {
        let credential = try credential(hiding: ["given_name"])
        let required = PresentationPolicy.KeyBinding.required(KeyBindingPolicy(audience: "https://verifier.example", nonce: "n-1"))
        func presentation(_ key: TestKey) throws -> String {
            try credential.presentation(
                disclosing: ["given_name"], provenBy: key, audience: "https://verifier.example", nonce: "n-1", at: Self.now)
        }
        let binding = try verifier(required).verify(presentation(holder), now: Self.now).keyBinding
        #expect(binding?.algorithm == .edDSA && binding?.issuedAt == Self.now)
        let thief = try TestKey(.edDSA, keyID: nil)
        #expect(throws: PresentationError.self) { try verifier(required).verify(presentation(thief), now: Self.now) }
    }

    /// Claims of every shape, with every choice of what is hidden and shown.
    @Test
    func anyChoiceIsReadBack() throws {
        var choice = Choice(state: 7)
        for round in 0..<300 {
            let tree = choice.object(depth: 4), paths = tree.paths(), hidden = paths.filter { _ in choice.below(3) == 0 }
            let shown = paths.filter { _ in choice.below(4) == 0 }
            let key = try TestKey(secret: Array(repeating: 7, count: 32), algorithm: .hs256)
            let credential = try key.disclosableToken(
                claims: (tree.members ?? [:]).mapValues { WrittenJSON(tree: $0) }, hiding: hidden, decoys: choice.below(3))
            var claims = ClaimsPolicy()
            claims.requiresExpiration = false
            claims.algorithms = [.hs256]
            let verifier = PresentationVerifier(keys: try key.keySet, policy: PresentationPolicy(claims: claims, keyBinding: .absent))
            let payload = try verifier.verify(credential.presentation(disclosing: shown), now: Self.now).payload
            let kept = Set(hidden).filter { path in !shown.contains { $0 == path || $0.hasPrefix(path + ".") } }
            #expect(try JSONTree(parsing: payload) == tree.without(kept), "round \(round)")
        }
    }

    @Test
    func aSharedKeyIsNoHoldersKey() throws {
        let shared = try TestKey(.hs256)
        #expect(throws: TestKeyError.unavailable(.hs256)) { try issuer.disclosableToken(claims: [:], hiding: [], holder: shared) }
    }
}
