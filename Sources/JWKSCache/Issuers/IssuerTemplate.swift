public import JWTCore

/// Issuers that differ only in their tenant, such as `https://login.example/{tenant}/v2.0`. The template fixes the host: a token can only
/// choose the tenant.
public struct IssuerTemplate: Sendable {
    /// The configuration of each tenant; its issuer and source are filled in.
    public let configuration: IssuerConfiguration
    /// The allowed tenants; nil: any well-formed name.
    public let tenants: Set<String>?
    private let prefix: String
    private let suffix: String
    /// The place of the tenant.
    package static let mark = "{tenant}"

    /// Nil unless `pattern` is an absolute URL with exactly one `{tenant}`, as a whole segment of its path.
    public init?(_ pattern: String, tenants: Set<String>? = nil, policy: ClaimsPolicy, refresh: RefreshPolicy = .availabilityFirst) {
        guard let place = pattern.utf8.place(of: Self.mark.utf8) else { return nil }
        let parts = [String(pattern[..<place]), String(pattern[place...].dropFirst(Self.mark.count))]
        guard !parts[1].utf8.holds(Self.mark), parts[0].hasSuffix("/"), parts[1].isEmpty || parts[1].hasPrefix("/"),
            // The host comes before the tenant, and the pattern is an issuer's URL with any tenant.
            IssuerMetadata.addresses(of: parts[0]) != nil, IssuerMetadata.addresses(of: parts.joined(separator: "t")) != nil
        else { return nil }
        (prefix, suffix) = (parts[0], parts[1])
        self.tenants = tenants
        var configuration = IssuerConfiguration(pattern, policy: policy)
        configuration.refresh = refresh
        self.configuration = configuration
    }

    /// The configuration of `tenant`; nil if it is no well-formed name or not an allowed one.
    package func configuration(ofTenant tenant: String) -> IssuerConfiguration? { configuration(of: prefix + tenant + suffix) }

    /// The configuration of the tenant in `issuer`; nil if `issuer` does not match the template.
    func configuration(of issuer: String) -> IssuerConfiguration? {
        let bytes = Array(issuer.utf8)
        guard bytes.count > prefix.utf8.count + suffix.utf8.count, bytes.starts(with: prefix.utf8),
            bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return nil }
        let tenant = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        guard Self.isTenant(tenant), tenants?.contains(String(decoding: tenant, as: UTF8.self)) ?? true else { return nil }
        var configuration = configuration
        configuration.issuer = issuer
        configuration.source = .issuer(issuer)
        return configuration
    }

    /// A name or a UUID, without characters that have a meaning in a path.
    private static func isTenant(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 64 && !text.allSatisfy { $0 == UInt8(ascii: ".") }
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
