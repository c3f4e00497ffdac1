internal import JWKSCache
internal import JWTCore

/// Reads the `tenants` of a provider whose `issuer` is a template. A token can choose only among the tenants that are listed.
struct TenantSettings {
    private let section: SettingsSection
    private let template: IssuerTemplate
    private let names: [String]

    /// Each has its own keys in memory.
    private static let most = 1_024

    /// Nil, with a fault if one of both settings lacks the other, for an issuer that is no template.
    init?(_ section: SettingsSection, issuer: String) {
        guard let template = Self.template(issuer) else {
            if section.has("tenants") { section.fault("tenants", .conflict, "is of no use without `{tenant}` in `issuer`") }
            return nil
        }
        self.section = section
        self.template = template
        names = section.texts("tenants") ?? []
        checkNames()
        checkPlaces()
    }

    /// Whether `issuer` is a URL with `{tenant}` as a whole segment of its path.
    static func isTemplate(_ issuer: String) -> Bool { template(issuer) != nil }

    private static func template(_ issuer: String) -> IssuerTemplate? { IssuerTemplate(issuer, policy: ClaimsPolicy()) }

    /// The text with the name of some tenant in its place.
    static func example(of text: String) -> String { text.replacing(tenant: "t") }

    /// Whether the tenant is part of the host of a URL.
    static func choosesHost(_ url: String) -> Bool {
        URLText(example(of: url))?.host != URLText(url.replacing(tenant: "u"))?.host
    }

    private func checkNames() {
        if !section.has("tenants") { section.fault("issuer", .missingSetting, "needs `tenants`: a list of what may stand for `{tenant}`") }
        if names.count > Self.most { section.fault("tenants", .invalidValue, "at most \(Self.most) tenants are allowed") }
        var known: Set<[UInt8]> = []
        for name in names {
            if template.configuration(ofTenant: name) == nil {
                section.fault("tenants", .invalidValue, "`\(name.prefix(64))`: letters, digits, `-`, `_` and `.` are allowed, at most 64")
            }
            if !known.insert(Array(name.utf8)).inserted { section.fault("tenants", .repeatedName, "has `\(name.prefix(64))` twice") }
        }
    }

    /// A file that all tenants write would have the keys of the last one.
    private func checkPlaces() {
        guard names.count > 1, let path = section.text("storage"), !path.contains(IssuerTemplate.mark) else { return }
        section.fault("storage", .conflict, "needs `{tenant}` in its name: each tenant has keys of its own")
    }

    /// The configurations of the tenants; empty if there was a fault.
    func issuers(of pattern: IssuerConfiguration) -> [IssuerConfiguration] {
        names.compactMap { name in
            guard let issuer = template.configuration(ofTenant: name)?.issuer else { return nil }
            var configuration = pattern
            configuration.issuer = issuer
            configuration.source = pattern.source.naming(tenant: name)
            configuration.failover = pattern.failover.map { $0.naming(tenant: name) }
            configuration.storage = pattern.storage.map { KeySetStorage(path: $0.path.replacing(tenant: name)) }
            return configuration
        }
    }
}

extension String {
    fileprivate func replacing(tenant: String) -> String {
        parts(around: IssuerTemplate.mark).joined(separator: tenant)
    }
}
