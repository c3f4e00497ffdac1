import JWTCore

/// Keys and algorithms of Wycheproof's test groups.
enum WycheproofKeys {
    /// The JOSE algorithm of a group; nil if JOSE does not define one.
    static func algorithm(_ group: JSONTree, _ path: String) -> SignatureAlgorithm? {
        let hash = group["sha"]?.text?.filter(\.isNumber) ?? ""
        switch group["type"]?.text {
        case "RsassaPkcs1Verify": return SignatureAlgorithm(name: "RS\(hash)")
        case "RsassaPssVerify":
            guard group["mgfSha"]?.text == group["sha"]?.text else { return nil }
            return SignatureAlgorithm(name: "PS\(hash)")
        case "EcdsaP1363Verify": return ecdsa(group, hash)
        case "EddsaVerify": return .edDSA
        case "MlDsaVerify":
            return SignatureAlgorithm.all.first { $0.name.hasPrefix("ML-DSA-") && path.utf8.holds("mldsa_\($0.name.dropFirst(7))") }
        default: return nil
        }
    }

    /// Why the tests of a group are not run.
    static func reasonOfSkip(_ group: JSONTree, _ path: String) -> String {
        if let algorithm = algorithm(group, path) { return unavailable(algorithm) }
        let curve = group["publicKey"]?["curve"]?.text
        let parts = [group["type"]?.text, curve, group["sha"]?.text].compactMap { $0 }
        return "JOSE has no algorithm for \(parts.joined(separator: ", "))"
    }

    static func unavailable(_ algorithm: SignatureAlgorithm) -> String { "this libcrypto has no \(algorithm.name)" }

    private static func ecdsa(_ group: JSONTree, _ hash: String) -> SignatureAlgorithm? {
        let curve = group["publicKey"]?["curve"]?.text
        let name = ["secp256r1256": "ES256", "secp384r1384": "ES384", "secp521r1512": "ES512", "secp256k1256": "ES256K"][
            "\(curve ?? "")\(hash)"]
        return name.flatMap(SignatureAlgorithm.init(name:))
    }

    static func hmac(_ path: String) -> SignatureAlgorithm? {
        for bits in ["256", "384", "512"] where path.utf8.holds("hmac_sha\(bits)") { return SignatureAlgorithm(name: "HS\(bits)") }
        return nil
    }

    /// The group's key: from its JWK if present, otherwise from DER, otherwise from its bytes; nil if it is refused.
    static func key(_ group: JSONTree, _ algorithm: SignatureAlgorithm) -> VerificationKey? {
        if let jwk = group["publicKeyJwk"] ?? group["keyJwk"], let key = key(jwk: jwk) { return key }
        if let der = Hex.bytes(group["publicKeyDer"]), let key = try? VerificationKey(importing: der.span) { return key }
        guard let raw = Hex.bytes(group["publicKey"]) else { return nil }
        let text = String(decoding: Base64URL.encode(raw), as: UTF8.self)
        return key(jwk: .object(["kty": .string("AKP"), "alg": .string(algorithm.name), "pub": .string(text)]))
    }

    private static func key(jwk: JSONTree) -> VerificationKey? {
        guard var members = jwk.members else { return nil }
        // The group determines the algorithm; the generator wrote the JWK's own alg.
        if members["kty"]?.text != "AKP" { members["alg"] = nil }
        guard let set = try? KeySet(jwk: JSONTree.object(members).json) else { return nil }
        return set.keys.first { $0.unusableReason == nil }
    }
}

/// Corrections of wrong or policy-dependent labels, from `json_web_errata.json` in the same folder, if it exists.
struct WycheproofErrata {
    private(set) var jws: [Int64: String] = [:]
    private(set) var jwk: [Int64: String] = [:]

    init(besides path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        guard let data = DescriptorBytes.read(path: "\(folder)json_web_errata.json"), let object = try? JSONTree(parsing: data) else {
            return
        }
        jws = Self.corrections(object["jws"])
        jwk = Self.corrections(object["jwk"])
    }

    private static func corrections(_ section: JSONTree?) -> [Int64: String] {
        var corrections: [Int64: String] = [:]
        for list in (section?.members ?? [:]).values {
            for entry in list.elements ?? [] {
                let ids = entry["tcIds"]?.elements?.compactMap(\.integer) ?? entry["tcId"]?.integer.map { [$0] } ?? []
                for id in ids { corrections[id] = entry["strictExpected"]?.text }
            }
        }
        return corrections
    }
}

enum Hex {
    static func bytes(_ value: JSONTree?) -> [UInt8]? {
        guard let text = value?.text else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
