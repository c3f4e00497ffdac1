/// Payloads as issuers with many roles write them, and one without structure beside them.
enum LargePayload: Hashable, Sendable, CaseIterable {
    /// Keycloak's roles for each client: twelve objects and twelve arrays. A token has 2 KB.
    case nested
    /// Eighteen objects and seventeen arrays, by an encoder that escapes slashes and letters that are not ASCII, as that of PHP does: 77
    /// escapes. A token has 3.3 KB.
    case escaped
    /// One text, as long as the claims of ``escaped``: what base64url and one look at each byte take.
    case text

    /// The claims of the token `ordinal`, valid until 2100.
    func claims(_ ordinal: Int) -> String {
        guard self != .text else { return Self.text(ordinal) }
        let clients = Self.clients.prefix(self == .nested ? 9 : 14)
        let access = clients.enumerated().map { "\"\($1)\":{\"roles\":[\(roles(ordinal + $0, count: 2))]}" }.joined(separator: ",")
        return """
            {"exp":4102444800,"iat":1700000000,"auth_time":1699999990,"jti":"\(identifier(ordinal))","iss":"\(url("idp.example"))",\
            "aud":"client-1","sub":"24828976\(1000 + ordinal)","typ":"ID","azp":"client-1","nonce":"n-0S6_WzA2Mj\(1000 + ordinal)",\
            "session_state":"\(identifier(ordinal + 1))","acr":"1","allowed-origins":["\(url("shop.example"))","\(url("admin.example"))"],\
            "realm_access":{"roles":["offline_access","uma_authorization",\(roles(ordinal, count: 3))]},\
            "resource_access":{\(access)},"scope":"openid email profile","sid":"\(identifier(ordinal + 2))","email_verified":true,\
            "name":"\(name)","groups":[\(groups)],"preferred_username":"jane\(ordinal)","email":"jane\(ordinal)@example.com"\(address)}
            """
    }

    private static func text(_ ordinal: Int) -> String {
        let start = """
            {"exp":4102444800,"iat":1700000000,"iss":"https://idp.example","aud":"client-1","sub":"24828976\(1000 + ordinal)","note":"
            """
        let length = Self.escaped.claims(ordinal).utf8.count - start.utf8.count - 2
        return start + String(repeating: "x", count: length) + "\"}"
    }

    private var name: String { self == .nested ? "Jane Doe" : "J\\u00fcrgen M\\u00fc\\u00dfig" }

    private func url(_ host: String) -> String { self == .nested ? "https://\(host)" : "https:\\/\\/\(host)" }

    private var groups: String {
        (0..<(self == .nested ? 22 : 30)).map { self == .nested ? "\"/teams/\(1000 + $0)\"" : "\"M\\u00fcnchen\\/teams-\(1000 + $0)\"" }
            .joined(separator: ",")
    }

    private var address: String {
        guard self == .escaped else { return "" }
        return """
            ,"picture":"\(url("img.example\\/jane.png"))","address":{"formatted":"Stra\\u00dfe 1\\n80331 M\\u00fcnchen",\
            "street_address":"Stra\\u00dfe 1","locality":"M\\u00fcnchen","postal_code":"80331","country":"DE"}
            """
    }

    /// Different lengths in different tokens, so that no token has its strings where another one has them.
    private func roles(_ start: Int, count: Int) -> String {
        (0..<count).map { "\"\(Self.roles[(start + 3 * $0) % Self.roles.count])\"" }.joined(separator: ",")
    }

    private func identifier(_ ordinal: Int) -> String {
        let digits = String(0x1000_0000_0000 + UInt64(ordinal) &* 0x9e37_79b9, radix: 16)
        return "\(digits.prefix(8))-7035-4a27-a3a1-\(digits)"
    }

    private static let clients = [
        "account", "billing-api", "orders-api", "reports", "grafana", "gitlab", "realm-management", "broker", "warehouse-ui", "crm",
        "invoices", "returns-api", "stock", "catalogue-ui",
    ]
    private static let roles = [
        "manage-account", "view-profile", "orders:read", "orders:write", "viewer", "editor", "admin", "query-users", "query-groups",
        "view-users",
    ]
}
