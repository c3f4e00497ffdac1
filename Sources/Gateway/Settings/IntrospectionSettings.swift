internal import JWKSCache

/// Reads `introspection` of a provider.
enum IntrospectionSettings {
    private static let names = [
        "endpoint", "clientID", "secretFile", "authentication", "signed", "introspectJWT", "activeSeconds", "inactiveSeconds",
        "staleSeconds", "maximumTokens", "maximumMegabytes", "requestsPerSecond", "timeoutSeconds",
    ]

    /// - Parameters:
    ///   - isHosted: whether a host reads the settings. It makes requests for keys and lists alone.
    static func read(_ provider: SettingsSection, folder: String, isHosted: Bool) -> IntrospectionTerms? {
        guard provider.has("introspection") else { return nil }
        guard !isHosted else {
            provider.fault("introspection", .conflict, "only `assay serve` has it: this host asks no server about tokens")
            return nil
        }
        guard let section = provider.section("introspection", names: names),
            let client = section.requiredText("clientID"), let file = section.requiredText("secretFile")
        else { return nil }
        var terms = IntrospectionTerms(clientID: client, secretFile: SettingsPath.path(file, in: folder))
        terms.endpoint = section.text("endpoint")
        terms.authentication = section.choice("authentication") ?? terms.authentication
        terms.isSigned = section.flag("signed") ?? terms.isSigned
        terms.takesJWT = section.flag("introspectJWT") ?? terms.takesJWT
        terms.activeLifetime = section.seconds("activeSeconds", 1...3_600) ?? terms.activeLifetime
        terms.inactiveLifetime = section.seconds("inactiveSeconds", 1...3_600) ?? terms.inactiveLifetime
        terms.staleIfError = section.seconds("staleSeconds", 0...86_400) ?? terms.staleIfError
        terms.maximumTokens = section.integer("maximumTokens", 1_000...1_000_000) ?? terms.maximumTokens
        terms.maximumBytes = section.integer("maximumMegabytes", 1...4_096).map { $0 << 20 } ?? terms.maximumBytes
        terms.requestsPerSecond = section.integer("requestsPerSecond", 1...1_000) ?? terms.requestsPerSecond
        terms.timeout = section.seconds("timeoutSeconds", 1...10) ?? terms.timeout
        check(terms, section, provider)
        return terms
    }

    private static func check(_ terms: IntrospectionTerms, _ section: SettingsSection, _ provider: SettingsSection) {
        if ClientSecret.read(terms.secretFile) == nil {
            section.fault("secretFile", .invalidValue, "a file with a secret of 1 to 4096 printable ASCII characters is expected")
        }
        if let endpoint = terms.endpoint, !IntrospectionTerms.isEndpoint(endpoint) {
            section.fault("endpoint", .invalidValue, "an https URL is expected, or http on this machine, without user and fragment")
        }
        let issuer = provider.text("issuer") ?? ""
        if terms.endpoint == nil, IssuerMetadata.addresses(of: issuer) == nil {
            section.fault("endpoint", .missingSetting, "has to say where to ask, because the issuer is no URL with metadata")
        }
        if terms.takesJWT, provider.has("decryptionKeys") {
            section.fault(
                "introspectJWT", .conflict, "leaves nothing to `decryptionKeys`: the authorization server judges encrypted tokens too")
        }
        if provider.text("tokens") == "id-token" {
            provider.fault("tokens", .conflict, "an id-token is no token to show to the authorization server (`introspection`)")
        }
    }
}
