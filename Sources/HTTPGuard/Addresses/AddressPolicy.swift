internal import JWKSCache

/// The addresses that may be dialled. By default only those of the public internet: no loopback, private, link-local, metadata, multicast
/// or reserved address, nor an IPv6 address that embeds one.
public struct AddressPolicy: Hashable, Sendable {
    /// 127.0.0.0/8 and ::1.
    public var allowsLoopback: Bool
    /// RFC 1918, unique local and carrier-shared addresses. Metadata services in these ranges stay forbidden.
    public var allowsPrivate: Bool
    /// 169.254.0.0/16, fe80::/10 and the metadata services of clouds in any range. A party that can name such an address can request the
    /// machine's credentials.
    public var allowsLinkLocal: Bool

    public init(allowsLoopback: Bool = false, allowsPrivate: Bool = false, allowsLinkLocal: Bool = false) {
        self.allowsLoopback = allowsLoopback
        self.allowsPrivate = allowsPrivate
        self.allowsLinkLocal = allowsLinkLocal
    }

    package func allows(_ kind: AddressKind) -> Bool {
        switch kind {
        case .global: allowsGlobal
        case .loopback: allowsLoopback
        case .private: allowsPrivate
        case .linkLocal, .metadata: allowsLinkLocal
        case .unspecified, .multicast, .reserved: false
        }
    }

    /// Why these addresses of a host may not be dialled, nil if they may. One forbidden address is enough to refuse all: a name with a good
    /// and a bad address is an attack, not an accident.
    func refusal(of addresses: [IPAddress], of host: String) -> RequestFailure? {
        addresses.first { !allows($0.kind) }.map {
            RequestFailure(.forbiddenAddress, "\(host) leads to \($0), which is \($0.kind.rawValue)")
        }
    }

    /// For http.
    static let loopbackOnly: AddressPolicy = {
        var policy = AddressPolicy(allowsLoopback: true)
        policy.allowsGlobal = false
        return policy
    }()

    private var allowsGlobal = true
}
