internal import JWTCore

/// How one gateway describes the client's request to an authorization service over HTTP, and what it expects as an answer.
///
/// The request is read from the fields that this gateway sets, and from no others: where a gateway does not set a field, a client may. So
/// each profile is for the gateway that it names, configured as Docs/Gateway.md says.
public struct GatewayProfile: Sendable {
    public let kind: Kind
    /// What Envoy puts before the client's path (`path_prefix`). Begins with a slash and does not end with one, or is empty.
    public var pathPrefix = ""
    /// Fields that only the gateway can set, in lower case, and the names of their values in ``RequestFacts/context``.
    public var contextFields: [String: String] = [:]
    /// The field in which the gateway tells the certificate of its client; nil: none is looked at.
    public var certificateField: CertificateField?

    public enum Kind: String, Sendable, CaseIterable {
        /// `auth_request` of nginx.
        case nginx
        /// `ForwardAuth` of Traefik.
        case traefik
        /// `forward_auth` of Caddy.
        case caddy
        /// `forward-auth` of APISIX.
        case apisix
        /// `ext_authz` of Envoy with an HTTP service.
        case envoy
    }

    public init(_ kind: Kind) { self.kind = kind }
}

extension GatewayProfile {
    /// The client's request.
    ///
    /// - Throws: `malformed_request` if a field that the gateway sets is missing or repeated.
    public func facts(from request: ProfileRequest) throws(Denial) -> RequestFacts {
        var facts =
            switch kind {
            case .nginx:
                RequestFacts(
                    method: try request.only("x-original-method"), scheme: request.single("x-original-scheme"), host: request.host,
                    target: try request.only("x-original-uri"))
            case .traefik, .caddy, .apisix:
                RequestFacts(
                    method: try request.only("x-forwarded-method"), scheme: try request.only("x-forwarded-proto"),
                    host: try request.only("x-forwarded-host"), target: try request.only("x-forwarded-uri"))
            case .envoy:
                RequestFacts(
                    method: request.method, scheme: request.single("x-forwarded-proto"), host: request.host,
                    target: try withoutPrefix(request.target))
            }
        guard !facts.host.isEmpty, !request.fields.contains(where: { $0.name == "host" && !$0.value.hasSameBytes(request.host) }) else {
            throw Denial(.malformedRequest)
        }
        for (name, key) in contextFields where request.fields.contains(where: { $0.name == name }) {
            facts.context[key] = try request.only(name)
        }
        if let field = certificateField { facts.certificate = try request.certificate(in: field) }
        facts.fields = request.fields.filter { !isOfGateway($0.name) }
        return facts
    }

    /// Whether the field, in lower case, describes the gateway's own request or message, and not the client's request. No route gets it.
    package func isOfGateway(_ name: String) -> Bool {
        if Self.isOfTransport(name) || contextFields[name] != nil || name == HandledFields.fieldName || name == certificateField?.name {
            return true
        }
        return switch kind {
        case .nginx: name.hasPrefix("x-original-")
        case .traefik, .caddy, .apisix: name.hasPrefix("x-forwarded-")
        case .envoy: name.hasPrefix("x-envoy-") || name == "x-forwarded-for"
        }
    }

    /// The length rules out nearly every field of a request, without a hash or a comparison.
    private static func isOfTransport(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name == "te"
        case 4: name == "host"
        case 10: name == "keep-alive"
        case 14: name == "content-length"
        case 17: name == "transfer-encoding"
        default: false
        }
    }

    private func withoutPrefix(_ target: String) throws(Denial) -> String {
        guard !pathPrefix.isEmpty else { return target }
        guard target.utf8.starts(with: pathPrefix.utf8), let rest = String(target.utf8.dropFirst(pathPrefix.utf8.count)),
            rest.utf8.first == UInt8(ascii: "/")
        else { throw Denial(.malformedRequest) }
        return rest
    }
}

extension GatewayProfile {
    /// The answer that carries `decision` to the gateway.
    ///
    /// An admission is a 200 (Envoy takes nothing else) with every field for the upstream; a field to remove is empty, except for Envoy,
    /// which can remove it. Envoy removes fields without a value too: it would take an empty one only if its file names the field, and the
    /// client's own would reach the upstream. A refusal has the code in `x-assay-code`, the challenge and `Retry-After`, or the `Location` of a
    /// browser that is redirected.
    ///
    /// - Parameters:
    ///   - decision: of the core.
    ///   - idle: fields that the gateway's file takes from the answer, and that no claim has. An admission has them empty: where an answer lacks
    ///     one, Caddy 2.6 sends the text of its own placeholder, and other gateways may keep the client's field.
    public func reply(to decision: Decision, idle: [String] = []) -> ProfileReply {
        switch decision {
        case .allowed(let admission):
            ProfileReply(status: 200, fields: fields(of: admission) + (kind == .envoy ? [] : idle.map { Field(lowercased: $0, "") }))
        case .denied(let denial): ProfileReply(status: status(of: denial), fields: fields(of: denial))
        }
    }

    private func fields(of admission: Admission) -> [Field] {
        var fields = admission.fields
        if kind == .envoy {
            let removed = admission.removed + fields.filter(\.value.isEmpty).map(\.name)
            fields.removeAll(where: \.value.isEmpty)
            if !removed.isEmpty { fields.append(Field(lowercased: "x-envoy-auth-headers-to-remove", removed.joined(separator: ","))) }
        } else {
            fields += admission.removed.map { Field(lowercased: $0, "") }
        }
        if let nonce = admission.proofNonce { fields.append(Field(lowercased: "dpop-nonce", nonce)) }
        if let waived = admission.waived { fields.append(Field(lowercased: "x-assay-waived", waived.reason.code)) }
        return fields + [Self.notStored]
    }

    private func fields(of denial: Denial) -> [Field] {
        var fields = [Field(lowercased: "x-assay-code", denial.reason.code)]
        if status(of: denial) != denial.status { fields.append(Field(lowercased: "x-assay-status", "\(denial.status)")) }
        if let challenge = denial.challenge { fields.append(Field(lowercased: "www-authenticate", challenge)) }
        if let nonce = denial.proofNonce { fields.append(Field(lowercased: "dpop-nonce", nonce)) }
        if let location = denial.location {
            fields += [Field(lowercased: kind == .nginx ? "x-assay-location" : "location", location), Denial.vary]
        }
        if let seconds = denial.retryAfter?.components.seconds { fields.append(Field(lowercased: "retry-after", "\(seconds)")) }
        return fields + [Self.notStored]
    }

    /// nginx takes 401 and 403, and answers 500 for anything else. Envoy takes every 5xx as a failure of the service, which it may be told to
    /// allow (`failure_mode_allow`). Both get 403 instead, and the status that was meant in `x-assay-status`. A redirect is 401 to nginx, whose
    /// file makes it of `x-assay-location`.
    private func status(of denial: Denial) -> Int {
        switch kind {
        case .nginx: denial.status == 401 || denial.location != nil ? 401 : 403
        case .envoy: denial.status >= 500 ? 403 : denial.status
        case .traefik, .caddy, .apisix: denial.status
        }
    }

    private static let notStored = Field(lowercased: "cache-control", "no-store")
}

extension Denial {
    /// What a redirect depends on, beside the token.
    package static let vary = Field(lowercased: "vary", "Accept, Sec-Fetch-Mode")
}

extension ProfileRequest {
    /// The value of the one field called `name`.
    fileprivate func only(_ name: String) throws(Denial) -> String {
        var value: String?
        for field in fields where field.name == name {
            guard value == nil else { throw Denial(.malformedRequest) }
            value = field.value
        }
        guard let value, !value.isEmpty else { throw Denial(.malformedRequest) }
        return value
    }

    /// The certificate in the one field of its name. Without the field, and with an empty one, there is none: nginx leaves out a field
    /// without a value.
    fileprivate func certificate(in field: CertificateField) throws(Denial) -> ClientCertificate? {
        var found: String?
        for other in fields where other.name == field.name {
            guard found == nil else { throw Denial(.malformedRequest) }
            found = other.value
        }
        guard let found, !found.isEmpty else { return nil }
        return ClientCertificate(field.form, found)
    }

    /// The same for a field that the gateway need not set; nil if there are several.
    fileprivate func single(_ name: String) -> String? {
        let found = fields.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }
}
