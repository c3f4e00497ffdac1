import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Key sets published by providers or used in other libraries' tests.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct PublishedKeysTests {
    // expected-strict.tsv

    /// Keys with several faults, for which the library reports another one first: alg and crv before use and key_ops before the bytes.
    private static let severalFaults = [
        "jwks/azuread/JsonWebKeySet.json 0": "key_algorithm_mismatch",
        "jwks/azuread/JsonWebKeySetBadRsaDataMissingComponent.json 1": "key_algorithm_mismatch",
        "jwks/azuread/JsonWebKeySetUnrecognizedKty.json 0": "key_algorithm_mismatch",
        "jwks/libjwt/bad_keys.json 3": "key_use_mismatch",
        "jwks/libjwt/okp_x25519_enc.json 0": "key_algorithm_mismatch",
        "jwks/libjwt/okp_x448_enc.json 0": "key_algorithm_mismatch",
        "jwks/pyjwt/jwk_keyset_with_unknown_alg.json 1": "key_algorithm_mismatch",
    ]

    @Test
    func everyDocumentHoldsWhatTheTableSays() {
        let rows = ConformanceInput.table("jwks/expected-strict.tsv")
        var usable = 0, refused = 0
        for row in rows {
            let keys = Keys(document: ConformanceFolder.bytes(row[0]))
            guard let count = Int(row[1]) else {
                #expect(keys.refusal == "invalid_key", "\(row[0])")
                continue
            }
            let reasons = StrictReason.all(row[3])
            #expect(keys.list.count == count, "\(row[0])")
            for (index, key) in keys.list.enumerated() {
                let got = Self.refusal(of: key)
                if let reason = reasons[index] {
                    #expect(got == Self.severalFaults["\(row[0]) \(index)"] ?? reason.code, "\(row[0]) \(index): \(reason.text)")
                    refused += 1
                } else {
                    #expect(got == nil, "\(row[0]) \(index)")
                    usable += 1
                }
            }
            #expect(count - reasons.count == Int(row[2]), "\(row[0])")
        }
        #expect(rows.count == 96)
        #expect((usable, refused) == (94, 59))
    }

    /// Why `key` fits no algorithm here; ML-DSA is treated as supported by libcrypto.
    private static func refusal(of key: VerificationKey) -> String? {
        if let refusal = key.unusableReason { return refusal == .unsupportedAlgorithm && key.type == .akp ? nil : refusal.name }
        return key.algorithms.algorithms.contains { key.bits >= 8 * $0.row.secretLength } ? nil : "weak_key"
    }

    /// A set keeps an HS512 key with a secret of 32 bytes: it is refused when a token needs it.
    @Test
    func aSecretShorterThanItsHashVerifiesNothing() throws {
        let keys = Keys(document: ConformanceFolder.bytes("jwks/libjwt/oct_key_512_bad.json"))
        let key = try #require(keys.list.first)
        #expect((key.bits, key.algorithms) == (256, [.hs512]))
        #expect(Judgement(jws: TokenForge(.hs512, keyID: nil).token(), keys).verdict == "weak_key")
        #expect(Judgement(jws: TokenForge(.hs256, keyID: nil).token(), keys).verdict == "key_algorithm_mismatch")
    }

    @Test
    func theTableHasEveryKeyDocument() {
        let folders = ["auth0-jwks-rsa-java", "azuread", "firebase-php-jwt", "libjwt", "pyjwt", "smart-health-cards", "spiffe"]
        let files = folders.flatMap { folder in ConformanceFolder.names("jwks/\(folder)").map { "jwks/\(folder)/\($0)" } }
        let listed = Set(ConformanceInput.table("jwks/expected-strict.tsv").map { $0[0] })
        let discovery = files.filter { $0.contains("onfiguration") || $0.contains("OpenIdConnect") }
        #expect(files.filter { !listed.contains($0) } == discovery)
        #expect(discovery.count == 7)
    }

    // Sets of providers

    @Test(arguments: [
        ("apple", 3, 3), ("docker", 2, 2), ("entra-common", 7, 7), ("facebook", 2, 2), ("gitlab", 2, 2), ("google", 2, 2),
        ("paypal", 15, 14), ("slack", 1, 1), ("spotify", 3, 3), ("verimi", 2, 2),
    ])
    func providersSetsLoad(name: String, count: Int, usable: Int) {
        let keys = Keys(document: ConformanceFolder.bytes("jwks/wellknown/\(name)/jwks.json")).list
        #expect((keys.count, keys.count { $0.unusableReason == nil }) == (count, usable))
        #expect(keys.allSatisfy { $0.keyID != nil })
        // PayPal's moduli have a leading zero octet: accepted with an advisory.
        #expect(keys.count { $0.advisories.contains(.leadingZeros) } == (name == "paypal" ? 5 : 0))
        #expect(keys.filter { $0.unusableReason != nil }.map(\.curveName) == (name == "paypal" ? ["X25519"] : []))
        #expect(!keys.contains { $0.advisories.contains(.privateMaterial) })
    }

    @Test
    func ofTheHealthIssuersOneKeyIsRefused() throws {
        let lines = ConformanceInput.lines("jwks/vci/issuers.jsonl")
        var keys: [VerificationKey] = []
        for line in lines {
            let set = try KeySet(jwks: Array(line.utf8).span)
            #expect(set.keys.allSatisfy { $0.type == .ec && $0.curve == .p256 })
            // The framework requires RFC 7638 thumbprints as key ids.
            #expect(set.keys.allSatisfy { $0.unusableReason != nil || $0.thumbprint == $0.keyID })
            keys += set.keys
        }
        #expect(lines.count == 334)
        #expect(keys.count == 505)
        // Its x has 31 octets: RFC 7518 section 6.2.1.2 requires the leading zero.
        #expect(keys.filter { $0.unusableReason != nil }.map(\.unusableReason) == [.invalidKey])
    }
}

/// One entry of the table's last column: "index: reason".
private struct StrictReason {
    let text: String

    static func all(_ column: String) -> [Int: StrictReason] {
        var reasons: [Int: StrictReason] = [:]
        for entry in column.split(separator: ";") {
            guard let colon = entry.firstIndex(of: ":"), let index = Int(entry[..<colon].filter(\.isNumber)) else { continue }
            reasons[index] = StrictReason(text: entry[entry.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return reasons
    }

    /// The corresponding code.
    var code: String? { Self.codes.first { text.hasPrefix($0.reason) }?.code }

    private static let codes: [(reason: String, code: String)] = [
        ("alg", "key_algorithm_mismatch"), ("kty", "key_algorithm_mismatch"), ("crv", "key_algorithm_mismatch"),
        ("key_ops", "key_use_mismatch"), ("use", "key_use_mismatch"), ("b64", "invalid_key"), ("member missing", "invalid_key"),
        ("coord length", "invalid_key"), ("Invalid EC key", "invalid_key"), ("short key", "weak_key"), ("rsa policy", "weak_key"),
    ]
}
