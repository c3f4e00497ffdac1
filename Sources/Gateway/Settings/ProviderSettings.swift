internal import JWKSCache
internal import JWTCore

/// Reads `providers`.
struct ProviderSettings {
    private static let names = [
        "name", "issuer", "audiences", "anyAudience", "tokens", "algorithms", "leewaySeconds", "maximumAgeSeconds", "requiredClaims",
        "keys", "tokenFrom", "claims", "payloadHeader", "padPayload", "forwardToken", "required", "refresh", "staleSeconds", "storage",
        "tenants", "statusLists", "once", "introspection", "decryptionKeys", "acceptUnencrypted", "dpop",
        "certificateBound",
    ]
    private static let hostNames = ["payloadMetadata", "headerMetadata"]
    /// What the service reads itself.
    private static let serviceNames = ["transport"]

    /// What kind of token a provider issues.
    private enum Kind: String, CaseIterable {
        case any
        case accessToken = "access-token"
        case idToken = "id-token"
    }

    private enum Refresh: String, CaseIterable {
        case availabilityFirst = "availability-first"
        case revocationFirst = "revocation-first"
    }

    private let section: SettingsSection
    private let folder: String
    private let isHosted: Bool
    /// The protected resources of all policies that require it; empty if one of them has none.
    private let resources: [String]

    /// - Parameters:
    ///   - isHosted: whether a host reads them, who keeps metadata, and who decides which addresses it asks.
    ///   - resources: the audiences of providers whose settings have none, by their names.
    static func read(_ root: SettingsSection, folder: String, isHosted: Bool, resources: [String: [String]]) -> [Provider] {
        let elements = root.elements("providers")
        if elements.isEmpty { root.fault("providers", .missingSetting, "at least one provider is needed") }
        var names: Set<String> = []
        return elements.compactMap { node, path in
            let known = Self.names + (isHosted ? Self.hostNames : Self.serviceNames)
            guard let section = SettingsSection(node, path, names: known, root.faults) else { return nil }
            let name = SettingsNames.name(of: section, kind: "providers", unlike: &names, reserved: PolicySettings.words)
            let resources = name.flatMap { resources[$0] } ?? []
            return ProviderSettings(section: section, folder: folder, isHosted: isHosted, resources: resources).provider(name ?? path)
        }
    }

    /// The names of all providers, those with faults included: a policy that requires one of these has no fault of its own.
    static func names(_ root: SettingsSection) -> [String] {
        guard case .list(let elements) = root.node("providers")?.content else { return [] }
        return elements.compactMap { element in
            guard case .section(let members) = element.content else { return nil }
            return members.first { $0.name == "name" }?.value.text
        }
    }

    private func provider(_ name: String) -> Provider? {
        guard let issuer = section.requiredText("issuer"), hasUsualForm(issuer) else { return nil }
        let template = TenantSettings(section, issuer: issuer)
        let source = source(issuer)
        var configuration = IssuerConfiguration(issuer, source: source.first, policy: policy(issuer))
        configuration.failover = Array(source.dropFirst())
        configuration.refresh = refresh
        configuration.isRequired = section.flag("required") ?? (template == nil)
        configuration.storage = section.text("storage").map { KeySetStorage(path: SettingsPath.path($0, in: folder)) }
        let issuers = template?.issuers(of: configuration) ?? [configuration]
        var provider = Provider(name, issuer: issuers.first ?? configuration)
        provider.tenants = Array(issuers.dropFirst())
        if section.has("tokenFrom") { provider.sources = sources }
        provider.claimHeaders = ClaimSettings.read(section)
        provider.payloadHeader = section.text("payloadHeader").flatMap { ClaimSettings.header($0, section, "payloadHeader") }
        provider.padsPayload = section.flag("padPayload") ?? provider.padsPayload
        if section.has("padPayload"), provider.payloadHeader == nil {
            section.fault("padPayload", .conflict, "is of no use without `payloadHeader`")
        }
        provider.payloadMetadata = section.text("payloadMetadata")
        provider.headerMetadata = section.text("headerMetadata")
        if let key = provider.payloadMetadata, key == provider.headerMetadata {
            section.fault("headerMetadata", .repeatedName, "`payloadMetadata` has this name")
        }
        provider.statusLists = StatusListSettings.read(section, issuer: issuer)
        provider.proofs = ProofSettings.read(section, name: name, folder: folder)
        if provider.proofs != nil, !provider.sources.contains(where: Self.isOfProofScheme) {
            provider.sources.append(.authorization(scheme: ProofTerms.scheme))
        }
        provider.passesOnce = section.flag("once") ?? false
        provider.certificateBinding = section.choice("certificateBound", CertificateBinding.self)
        provider.introspection = IntrospectionSettings.read(section, folder: folder, isHosted: isHosted)
        provider.decryptionKeys = DecryptionKeySettings.read(section, folder: folder)
        provider.acceptsUnencrypted = section.flag("acceptUnencrypted") ?? provider.acceptsUnencrypted
        if section.has("acceptUnencrypted"), !section.has("decryptionKeys") {
            section.fault("acceptUnencrypted", .conflict, "is of no use without `decryptionKeys`")
        }
        provider.forwardsToken = section.flag("forwardToken") ?? provider.forwardsToken
        if !provider.forwardsToken, provider.sources.contains(where: \.isOfContext) {
            section.fault("forwardToken", .conflict, "only the gateway can take a token of its context out of the request")
        }
        return provider
    }

    private static func isOfProofScheme(_ source: TokenSource) -> Bool { TokenPlace(source).isOfProofScheme }

    /// Issuers that are written as another thing, and never the `iss` of a token.
    private func hasUsualForm(_ issuer: String) -> Bool {
        let fault: String? =
            if issuer.contains(where: { $0.isWhitespace }) {
                "has a blank"
            } else if issuer.contains("/.well-known/") {
                "is the address of a document; the issuer is what stands in front of `/.well-known/`"
            } else if issuer.contains("{"), !TenantSettings.isTemplate(issuer) {
                "has a brace; a template is an https URL with `{tenant}` as a whole segment of its path"
            } else {
                nil
            }
        if let fault { section.fault("issuer", .invalidValue, fault) }
        if fault == nil, issuer.hasSuffix("/") {
            section.warn("issuer", "ends with a slash, which the `iss` of every token then needs: issuers are compared byte for byte")
        }
        return fault == nil
    }

    private func policy(_ issuer: String) -> ClaimsPolicy {
        let isAny = section.flag("anyAudience") ?? false
        let audiences = section.texts("audiences") ?? (isAny ? [] : resources)
        if audiences.isEmpty != isAny {
            section.faults.add(
                section.place(of: "audiences"), isAny ? .conflict : .missingSetting,
                "`\(section.name("audiences"))`: "
                    + (isAny
                        ? "is of no use with `anyAudience`" : "is missing; a token for another service would be accepted (`anyAudience`)"))
        }
        var policy = ClaimsPolicy()
        let kind = section.choice("tokens", Kind.self) ?? .any
        if isAny, kind != .any { section.fault("anyAudience", .conflict, "tokens of this kind (`tokens`) need `audiences`") }
        switch kind {
        case .any: policy.issuers = [issuer]
        case .accessToken: policy = .accessToken(issuer: issuer, audience: audiences.first ?? "")
        case .idToken: policy = .idToken(issuer: issuer, clientID: audiences.first ?? "")
        }
        policy.audiences = audiences
        policy.algorithms = algorithms ?? policy.algorithms
        policy.leeway = section.seconds("leewaySeconds", 0...600) ?? policy.leeway
        policy.maximumAge = section.seconds("maximumAgeSeconds", 1...315_360_000)
        let required = (section.texts("requiredClaims") ?? []) + (section.flag("once") == true ? ["jti", "exp"] : [])
        for name in required where !policy.requiredClaims.contains(name) { policy.requiredClaims.append(name) }
        return policy
    }

    /// Shared secrets do not belong into keys that are fetched: HMAC is a choice for keys of this machine alone.
    private var algorithms: AlgorithmSet? {
        guard let names = section.texts("algorithms") else { return nil }
        let hasOwnKeys = hasOwnKeys, known = SignatureAlgorithm.all.filter { hasOwnKeys || !$0.isSymmetric }
        return AlgorithmSet(
            names.compactMap { name in
                if let algorithm = known.first(where: { $0.name == name }) { return algorithm }
                let kind = hasOwnKeys ? "an algorithm of signatures" : "an algorithm for public keys"
                section.fault(
                    "algorithms", .invalidValue,
                    "`\(name.prefix(32))` is not \(kind)\(Suggestion.question(name, in: known.map(\.name)))")
                return nil
            })
    }

    /// Whether all keys are in the settings or in files. Faults are those of ``source(_:)``.
    private var hasOwnKeys: Bool {
        let faults = FaultList()
        guard let node = section.node("keys"), let keys = SettingsSection(node, "", names: Self.places + ["failover"], faults) else {
            return false
        }
        let places = keys.elements("failover").compactMap { SettingsSection($0, $1, names: Self.places, faults) } + [keys]
        return places.allSatisfy { $0.has("file") || $0.has("inline") }
    }

    private var refresh: RefreshPolicy {
        var policy: RefreshPolicy =
            section.choice("refresh", Refresh.self) == .revocationFirst ? .revocationFirst : .availabilityFirst
        if let stale = section.seconds("staleSeconds", 0...86_400) { policy.staleIfError = stale }
        return policy
    }
}

// MARK: Keys

extension ProviderSettings {
    /// The source of keys and its failovers; by default the issuer's metadata.
    private func source(_ issuer: String) -> [KeySetSource] {
        guard let keys = section.section("keys", names: Self.places + ["failover"]) else {
            if !isURL(hasTenants ? TenantSettings.example(of: issuer) : issuer) {
                section.fault("issuer", .invalidValue, "an https URL, or `keys` has to say where its keys are")
            }
            return [.issuer(issuer)]
        }
        let failover = keys.elements("failover").compactMap { node, path in
            SettingsSection(node, path, names: Self.places, keys.faults).flatMap { place($0) }
        }
        if keys.has("inline") {
            for name in ["refresh", "staleSeconds", "storage"] where section.has(name) {
                section.fault(name, .conflict, "is of no use with `inline` keys, which never change")
            }
            if keys.has("failover") { keys.fault("failover", .conflict, "is of no use with `inline` keys, which never fail") }
        }
        if !Self.places.contains(where: keys.has) { return [.issuer(issuer)] + failover }
        return (place(keys).map { [$0] } ?? [.issuer(issuer)]) + failover
    }

    private static let places = ["url", "file", "spiffeBundle", "inline"]

    private var hasTenants: Bool { section.node("issuer")?.text.map(TenantSettings.isTemplate) ?? false }

    private func place(_ keys: SettingsSection) -> KeySetSource? {
        guard let kind = keys.one(of: Self.places) else { return nil }
        if kind == "inline", let node = keys.node(kind), case .section = node.content { return inline(node.json, keys) }
        guard let text = keys.text(kind) else { return nil }
        if kind == "file" { return .file(SettingsPath.path(text, in: folder)) }
        if kind == "inline" { return inline(text, keys) }
        let isWrongTemplate = hasTenants && TenantSettings.choosesHost(text)
        guard isURL(hasTenants ? TenantSettings.example(of: text) : text), !isWrongTemplate else {
            let scheme = isHosted ? "an https or http URL is expected" : "an https URL is expected, or http on this machine"
            keys.fault(kind, .invalidValue, "\(scheme), without user, password and fragment")
            return nil
        }
        return kind == "url" ? .jwks(url: text) : .spiffeBundle(url: text)
    }

    /// Keys in the settings: a JWK Set, a JWK or PEM, as a text or as a section.
    private func inline(_ text: String, _ keys: SettingsSection) -> KeySetSource? {
        do throws(VerificationError) {
            _ = try KeySet(document: text)
            return .inline(text)
        } catch {
            keys.fault("inline", .invalidValue, "a JWK Set, a JWK or PEM is expected: \(error)")
            return nil
        }
    }

    /// A host's own client may speak TLS for it.
    private func isURL(_ text: String) -> Bool {
        guard let url = URLText(text), !url.host.isEmpty, !url.hasUser, url.fragment == nil else { return false }
        return text.hasPrefix("https:")
            || text.hasPrefix("http:") && (isHosted || ["localhost", "127.0.0.1", "[::1]"].contains(url.host))
    }
}

// MARK: Tokens

extension ProviderSettings {
    private var sources: [TokenSource] {
        let elements = section.elements("tokenFrom")
        let sources = elements.compactMap { node, path -> TokenSource? in
            guard let place = SettingsSection(node, path, names: Self.sourceNames, section.faults) else { return nil }
            return Self.source(place)
        }
        if elements.isEmpty { section.fault("tokenFrom", .invalidValue, "at least one place is needed") }
        if Set(sources).count != sources.count { section.fault("tokenFrom", .repeatedName, "has one place twice") }
        return sources
    }

    private static let sourceKinds = ["authorization", "header", "cookie", "query", "webSocketProtocol", "context"]
    private static let sourceNames = sourceKinds + ["prefix"]

    private static func source(_ place: SettingsSection) -> TokenSource? {
        guard let kind = place.one(of: sourceKinds), let text = place.text(kind) else { return nil }
        if place.has("prefix"), kind != "header" { place.fault("prefix", .conflict, "only a `header` has one") }
        switch kind {
        case "query": return .query(name: text)
        case "context": return .context(name: text)
        case "webSocketProtocol":
            if FieldNames.isToken(text), text.hasSuffix(".") { return .webSocketProtocol(prefix: text) }
            place.fault(kind, .invalidValue, "the beginning of a name is expected, with a dot at its end, as in `bearer.`")
            return nil
        case "header" where text.lowercased() == "authorization":
            place.fault("header", .invalidValue, "use `authorization: Bearer` for this field")
            return nil
        default: break
        }
        guard SettingsNames.isToken(text) else {
            place.fault(kind, .invalidValue, "letters, digits and `-` are expected")
            return nil
        }
        switch kind {
        case "authorization": return .authorization(scheme: text)
        case "cookie": return .cookie(name: text)
        default: return .header(name: text.lowercased(), prefix: place.text("prefix") ?? "")
        }
    }
}
