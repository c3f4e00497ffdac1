import Foundation
import JWTCore

/// Keys and algorithms of Wycheproof's test groups.
enum WycheproofKeys {
    /// The JOSE algorithm of a group; nil if JOSE does not define one.
    static func algorithm(_ group: [String: Any], _ path: String) -> SignatureAlgorithm? {
        let hash = (group["sha"] as? String)?.filter(\.isNumber) ?? ""
        switch group["type"] as? String {
        case "RsassaPkcs1Verify": return SignatureAlgorithm(name: "RS\(hash)")
        case "RsassaPssVerify":
            guard group["mgfSha"] as? String == group["sha"] as? String else { return nil }
            return SignatureAlgorithm(name: "PS\(hash)")
        case "EcdsaP1363Verify": return ecdsa(group, hash)
        case "EddsaVerify": return .edDSA
        case "MlDsaVerify":
            return SignatureAlgorithm.all.first { path.contains($0.name.lowercased().replacingOccurrences(of: "ml-dsa-", with: "mldsa_")) }
        default: return nil
        }
    }

    /// Why the tests of a group are not run.
    static func reasonOfSkip(_ group: [String: Any], _ path: String) -> String {
        if let algorithm = algorithm(group, path) { return unavailable(algorithm) }
        let curve = (group["publicKey"] as? [String: Any])?["curve"] as? String
        let parts = [group["type"] as? String, curve, group["sha"] as? String].compactMap { $0 }
        return "JOSE has no algorithm for \(parts.joined(separator: ", "))"
    }

    static func unavailable(_ algorithm: SignatureAlgorithm) -> String { "this libcrypto has no \(algorithm.name)" }

    private static func ecdsa(_ group: [String: Any], _ hash: String) -> SignatureAlgorithm? {
        let curve = (group["publicKey"] as? [String: Any])?["curve"] as? String
        let name = ["secp256r1256": "ES256", "secp384r1384": "ES384", "secp521r1512": "ES512", "secp256k1256": "ES256K"][
            "\(curve ?? "")\(hash)"]
        return name.flatMap(SignatureAlgorithm.init(name:))
    }

    static func hmac(_ path: String) -> SignatureAlgorithm? {
        for bits in ["256", "384", "512"] where path.contains("hmac_sha\(bits)") { return SignatureAlgorithm(name: "HS\(bits)") }
        return nil
    }

    /// The group's key: from its JWK if present, otherwise from DER, otherwise from its bytes; nil if it is refused.
    static func key(_ group: [String: Any], _ algorithm: SignatureAlgorithm) -> VerificationKey? {
        if let jwk = group["publicKeyJwk"] ?? group["keyJwk"], let key = key(jwk: jwk) { return key }
        if let der = Hex.bytes(group["publicKeyDer"]), let key = try? VerificationKey(importing: der.span) { return key }
        guard let raw = Hex.bytes(group["publicKey"]) else { return nil }
        let text = String(decoding: Base64URL.encode(raw), as: UTF8.self)
        return key(jwk: ["kty": "AKP", "alg": algorithm.name, "pub": text])
    }

    private static func key(jwk: Any) -> VerificationKey? {
        guard var members = jwk as? [String: Any] else { return nil }
        // The group determines the algorithm; the generator wrote the JWK's own alg.
        if members["kty"] as? String != "AKP" { members["alg"] = nil }
        guard let data = try? JSONSerialization.data(withJSONObject: members), let set = try? KeySet(jwk: Array(data).span) else {
            return nil
        }
        return set.keys.first { $0.unusableReason == nil }
    }
}

/// Corrections of wrong or policy-dependent labels, from `json_web_errata.json` in the same folder, if it exists.
struct WycheproofErrata {
    private(set) var jws: [Int: String] = [:]
    private(set) var jwk: [Int: String] = [:]

    init(besides path: String) {
        let folder = (path as NSString).deletingLastPathComponent
        guard let data = FileManager.default.contents(atPath: "\(folder)/json_web_errata.json"),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return }
        jws = Self.corrections(object["jws"])
        jwk = Self.corrections(object["jwk"])
    }

    private static func corrections(_ section: Any?) -> [Int: String] {
        var corrections: [Int: String] = [:]
        for (_, list) in section as? [String: [[String: Any]]] ?? [:] {
            for entry in list {
                let ids = entry["tcIds"] as? [Int] ?? (entry["tcId"] as? Int).map { [$0] } ?? []
                for id in ids { corrections[id] = entry["strictExpected"] as? String }
            }
        }
        return corrections
    }
}

enum Hex {
    static func bytes(_ value: Any?) -> [UInt8]? {
        guard let text = value as? String else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
