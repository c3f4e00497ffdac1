#if Gateway
internal import Gateway

extension GatewayFile {
    /// What the template's names stand for.
    func values(for configuration: ServiceConfiguration) throws(Failure) -> [String: String] {
        guard self != .haproxyScript else { return [:] }
        let fields = configuration.upstreamFields, additional = fields.filter { !$0.hasPrefix("x-auth-") }
        let capitalized = fields.map(GatewayFileField.capitalized)
        // The lists that come back without a token that its provider keeps.
        let rewritten = ["cookie", "sec-websocket-protocol"]
        var values = [
            "names": fields.joined(separator: " "), "Names": capitalized.joined(separator: " "),
            "Listed": capitalized.joined(separator: ", "),
            "beginnings": (["x-auth-*"] + additional).joined(separator: " "),
            "patterns": (["{prefix: x-auth-}"] + (rewritten + additional).map { "{exact: \($0)}" }).joined(separator: ", "),
        ]
        for (name, value) in try address(configuration) { values[name] = value }
        for (name, value) in try certificateValues(of: try listener(configuration), configuration) { values[name] = value }
        // The service reads a certificate only where the file says that it sets it.
        if let field = try listener(configuration).certificateField?.name, values["CertificateField"] != nil, !fields.contains(field) {
            values["names"] = (fields + [field]).joined(separator: " ")
        }
        values["middlewares"] = values["CertificateField"] == nil ? "assay" : "no-certificate, certificate, assay"
        let judged = configuration.fieldsToJudge, others = configuration.fieldsOfNavigations.filter { !judged.contains($0) }
        values["Judged"] = (judged + others).map { "\"\(GatewayFileField.capitalized($0))\"" }.joined(separator: ", ")
        values["judged"] = judged.map { "[\"\($0)\"] = true" }.joined(separator: ", ")
        values["quoted"] = fields.map { "\"\($0)\"" }.joined(separator: ", ")
        return values
    }

    private var profile: ListenerProfile {
        switch self {
        case .nginx, .nginxServer, .nginxLocation: .nginx
        case .haproxy, .haproxyScript, .caddy: .caddy
        case .traefik: .traefik
        case .apisix: .apisix
        case .envoyHTTP: .envoyHTTP
        case .envoyGRPC: .envoyGRPC
        }
    }

    /// The listener of this name, or else the first for this kind of gateway.
    func listener(_ configuration: ServiceConfiguration) throws(Failure) -> ListenerSettings {
        let fitting = configuration.listeners.filter { $0.profile == profile }
        guard let listener = fitting.first(where: { $0.name == rawValue }) ?? fitting.first else {
            throw Failure(description: "no listener has the profile \(profile.rawValue), which \(rawValue) asks")
        }
        return listener
    }

    private func address(_ configuration: ServiceConfiguration) throws(Failure) -> [String: String] {
        let listener = try listener(configuration)
        switch listener.place {
        case .tcp(let address):
            let colon = address.lastIndex(of: ":") ?? address.endIndex
            let host = address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }, port = address[colon...].dropFirst()
            return [
                "service": address, "authority": address, "place": "{socket_address: {address: \(host), port_value: \(port)}}",
            ]
        case .unix(let place):
            guard let service = unixAddress(place.path) else {
                throw Failure(description: "\(rawValue) reaches no Unix socket; give the listener \(listener.name) a tcp address")
            }
            return ["service": service, "authority": "assay", "place": "{pipe: {path: \(place.path)}}"]
        case .activation(let name):
            throw Failure(description: "the sockets \(name) of systemd have their addresses in its own units; write them into the file")
        }
    }

    /// The folder that Debian's HAProxy has as its root (`chroot`). It reaches a socket in it by the rest of the path.
    private static let haproxyRoot = "/var/lib/haproxy"

    private func unixAddress(_ path: String) -> String? {
        switch self {
        case .nginx, .nginxServer, .nginxLocation: "unix:\(path)"
        case .haproxy, .haproxyScript: "unix@\(path.hasPrefix("\(Self.haproxyRoot)/") ? path.dropFirst(Self.haproxyRoot.count) : path[...])"
        case .caddy: "unix/\(path)"
        case .traefik, .apisix: nil
        case .envoyHTTP, .envoyGRPC: ""
        }
    }
}

extension ServiceConfiguration {
    /// The client's fields, in lower case, by which a browser's navigation is known, where a policy redirects browsers.
    fileprivate var fieldsOfNavigations: [String] {
        decisions.policies.contains { $0.browserRedirect != nil } ? RequestView.fieldsOfNavigations : []
    }

    /// The client's fields that a decision looks at, in lower case, each once: tokens, proofs, conditions of routes, and other methods. A
    /// gateway that sends only some fields to the service sends these. Fields of `contextHeaders` are none: clients must not set them.
    fileprivate var fieldsToJudge: [String] {
        let tokens = decisions.providers.flatMap(\.sources).compactMap { source -> String? in
            switch source {
            case .authorization: "authorization"
            case .header(let name, _): name
            case .cookie: "cookie"
            case .webSocketProtocol: "sec-websocket-protocol"
            case .query, .context: nil
            }
        }
        let proofs = decisions.providers.contains { $0.proofs != nil } ? ["dpop"] : []
        let conditions = decisions.routes.flatMap { $0.fields.map(\.name) }
        let preflight = decisions.routes.contains(where: \.admitsPreflights) ? ["origin", "access-control-request-method"] : []
        let fields = tokens + proofs + conditions + preflight + ["x-http-method", "x-http-method-override", "x-method-override"]
        return fields.map { $0.lowercased() }.reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }
}
#endif
