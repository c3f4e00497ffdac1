/// A protected resource that access tokens are issued for (RFC 8707, RFC 9728).
public struct ProtectedResource: Hashable, Sendable, Codable {
    /// `resource` in requests and `aud` in access tokens: https, or http on loopback, without a fragment. Compared byte for byte.
    public var uri = ""
    /// What users know it by, on the page that asks them. Empty: the URI.
    public var name = ""
    /// The scopes that it knows (RFC 6749 section 3.3). A request without a scope means all of them.
    public var scopes: [String] = []
    /// Seconds from the issue of an access token to its `exp`; at most the lifetime of an id_token.
    public var accessTokenSeconds = 600

    public init(uri: String, name: String = "", scopes: [String] = [], accessTokenSeconds: Int = 600) {
        self.uri = uri
        self.name = name
        self.scopes = scopes
        self.accessTokenSeconds = accessTokenSeconds
    }

    /// Reads the settings of one resource; only `uri` is required.
    ///
    /// - Throws: `DecodingError`, also for a name that is none: a misspelt one would silently keep its default.
    public init(from decoder: any Decoder) throws {
        for key in try decoder.container(keyedBy: AnyName.self).allKeys where CodingKeys(stringValue: key.stringValue) == nil {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: "unknown"))
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        uri = try values.decode(String.self, forKey: .uri)
        name = try values.decodeIfPresent(String.self, forKey: .name) ?? name
        scopes = try values.decodeIfPresent([String].self, forKey: .scopes) ?? scopes
        accessTokenSeconds = try values.decodeIfPresent(Int.self, forKey: .accessTokenSeconds) ?? accessTokenSeconds
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A scope-token of RFC 6749 section 3.3: no space, quotation mark or backslash.
    static func isScope(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
    }

    /// The name for users.
    var shownName: String { name.isEmpty ? uri : name }
}
