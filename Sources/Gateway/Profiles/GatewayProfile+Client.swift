extension GatewayProfile {
    /// Whether every question of its gateway has the address of the client's connection. Caddy sets the same field, but HAProxy's script, whose
    /// listener has Caddy's profile, hands on the client's own.
    package var tellsClient: Bool { kind == .traefik || kind == .apisix }

    /// The client's address as the gateway tells it, if it does.
    ///
    /// - Parameter field: the name of a field in lower case that only the gateway sets; nil: what every gateway of the kind sets.
    package func client(of request: ProfileRequest, in field: String?) -> String? {
        guard let field = field ?? (tellsClient ? "x-forwarded-for" : nil) else { return nil }
        return request.fields.lastAddress(in: field)
    }
}

extension [Field] {
    /// The value of the one field called `name`; nil without it, and of several, of which a client may have set one.
    ///
    /// - Parameter name: in lower case.
    package func only(_ name: String) -> String? {
        var value: String?
        for field in self where field.name == name {
            guard value == nil else { return nil }
            value = field.value
        }
        return value
    }

    /// The last element of a list of addresses in the one field called `name`. A proxy appends the address of its peer, and a client may have
    /// sent the others.
    package func lastAddress(in name: String) -> String? {
        only(name)?.split(separator: ",").last.map { element in
            String(element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
        }
    }
}
