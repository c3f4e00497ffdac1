internal import JWTCore

/// Replaces claims by digests of disclosures (RFC 9901 section 4.2), with SHA-256.
struct HiddenClaims {
    private let paths: Set<String>
    private let decoys: Int
    private(set) var disclosures: [(path: String, text: String)] = []

    /// - Parameters:
    ///   - paths: what is hidden: names and places of elements, joined by dots.
    ///   - decoys: the number of digests that no disclosure has, at the top.
    init(_ paths: [String], decoys: Int) {
        self.paths = Set(paths)
        self.decoys = decoys
    }

    /// The claims of the issuer's token.
    mutating func hide(in claims: [String: JSONTree]) -> JSONTree {
        var digests = (0..<decoys).map { _ in Self.digest(of: Self.salt()) }
        return .object(hide(in: claims, at: "", &digests))
    }

    private mutating func hide(in tree: JSONTree, at path: String) -> JSONTree {
        switch tree {
        case .object(let members):
            var digests: [String] = []
            return .object(hide(in: members, at: path + ".", &digests))
        case .array(let elements):
            return .array(elements.enumerated().map { element(at: "\(path).\($0)", $1) })
        default: return tree
        }
    }

    private mutating func hide(in members: [String: JSONTree], at prefix: String, _ digests: inout [String]) -> [String: JSONTree] {
        var shown: [String: JSONTree] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let path = prefix + name, value = hide(in: value, at: path)
            if paths.contains(path) {
                digests.append(disclose([.string(Self.salt()), .string(name), value], at: path))
            } else {
                shown[name] = value
            }
        }
        // Sorted, so that their order says nothing about the claims.
        if !digests.isEmpty { shown["_sd"] = .array(digests.sorted().map(JSONTree.string)) }
        return shown
    }

    private mutating func element(at path: String, _ value: JSONTree) -> JSONTree {
        let value = hide(in: value, at: path)
        guard paths.contains(path) else { return value }
        return .object(["...": .string(disclose([.string(Self.salt()), value], at: path))])
    }

    /// Adds a disclosure; returns its digest.
    private mutating func disclose(_ parts: [JSONTree], at path: String) -> String {
        let text = Base64URL.text(JSONTree.array(parts).json)
        disclosures.append((path, text))
        return Self.digest(of: text)
    }

    /// 128 bits (RFC 9901 section 9.3).
    private static func salt() -> String { Base64URL.text(TestKey.random(16)) }

    /// The base64url text of the digest of `text`.
    static func digest(of text: String) -> String { Base64URL.text(Digest.sha256.bytes(of: text.utf8.span)) }
}
