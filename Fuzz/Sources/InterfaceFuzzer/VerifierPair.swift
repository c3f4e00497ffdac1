import CAssayInterface
import FuzzInput
import JWTCore

/// The same verifier in both interfaces.
struct VerifierPair {
    let c: OpaquePointer
    let swift: TokenVerifier<KeySet>

    static let issuer = "https://idp.example"

    static var all: [VerifierPair] {
        var plain = ClaimsPolicy()
        plain.algorithms = [.hs256]
        var access = ClaimsPolicy.accessToken(issuer: issuer, audience: "api")
        access.maximumAge = .seconds(600)
        access.algorithms = [.hs256]
        var identity = ClaimsPolicy.idToken(issuer: issuer, clientID: "client-1")
        identity.algorithms = [.hs256]
        identity.contextClasses = ["gold"]
        return [
            VerifierPair(plain, cache: 0, make: { assay_policy_new($0) }, rules: { add($0, ASSAY_RULE_ALGORITHM, "HS256") }),
            VerifierPair(identity, cache: 0) {
                assay_policy_new_id_token($0, issuer, issuer.utf8.count, "client-1", 8)
            } rules: {
                add($0, ASSAY_RULE_ALGORITHM, "HS256")
                add($0, ASSAY_RULE_CONTEXT_CLASS, "gold")
            },
            VerifierPair(access, cache: 1 << 20) {
                assay_policy_new_access_token($0, issuer, issuer.utf8.count, "api", 3)
            } rules: {
                add($0, ASSAY_RULE_ALGORITHM, "HS256")
                precondition(assay_policy_set($0, UInt32(ASSAY_RULE_MAXIMUM_AGE), 600) == ASSAY_OK)
            },
        ]
    }

    /// As the shortest way to a verifier makes it: the default policy for one issuer and one audience.
    static var short: VerifierPair {
        let document = #"{"keys":[\#(Keys.hs256JWK)]}"#
        var verifier: OpaquePointer?
        precondition(
            assay_verifier_new_jwks(&verifier, document, document.utf8.count, issuer, issuer.utf8.count, "client-1", 8) == ASSAY_OK)
        guard let verifier else { preconditionFailure("no verifier") }
        let policy = ClaimsPolicy(issuer: issuer, audience: "client-1")
        return VerifierPair(c: verifier, swift: TokenVerifier(keys: Keys.set([Keys.hs256JWK]), policy: policy))
    }

    private init(c: OpaquePointer, swift: TokenVerifier<KeySet>) {
        self.c = c
        self.swift = swift
    }

    private init(
        _ policy: ClaimsPolicy, cache: UInt64, make: (UnsafeMutablePointer<OpaquePointer?>) -> assay_code, rules: (OpaquePointer?) -> Void
    ) {
        var made: OpaquePointer?, keys: OpaquePointer?, verifier: OpaquePointer?
        let document = #"{"keys":[\#(Keys.hs256JWK)]}"#
        precondition(make(&made) == ASSAY_OK && assay_keys_new(&keys, document, document.utf8.count) == ASSAY_OK)
        rules(made)
        var options = assay_verifier_options()
        (options.size, options.cache_bytes) = (MemoryLayout.size(ofValue: options), cache)
        var only = assay_issuer(policy: made, keys: keys)
        precondition(assay_verifier_new(&verifier, &only, 1, &options) == ASSAY_OK)
        assay_policy_free(made)
        assay_keys_free(keys)
        guard let verifier else { preconditionFailure("no verifier") }
        c = verifier
        swift = TokenVerifier(keys: Keys.set([Keys.hs256JWK]), policy: policy)
    }

    private static func add(_ policy: OpaquePointer?, _ rule: Int, _ text: String) {
        precondition(assay_policy_add(policy, UInt32(rule), text, text.utf8.count) == ASSAY_OK)
    }
}

extension [UInt8] {
    /// The bytes as C's characters, in memory of exactly their size.
    func withChars<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: map(CChar.init(bitPattern:)))
        return body(UnsafePointer(memory.baseAddress), count)
    }
}
