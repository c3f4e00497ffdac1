public import IDaaSWire
public import JWKSCache
public import JWTCore

/// The settings of a program's calls to its tenant. This is a value: changing a copy does not affect objects made from the original.
public struct FlowConfiguration: Sendable {
    /// The tenant's origin: scheme, host and port, without a trailing slash.
    public let domain: String
    /// The application's id (console: Resources, Applications).
    public let clientID: String
    /// The required `iss` of an id_token. By default `{domain}/api/v1/oauth2`.
    public var issuer: String
    /// The URL of the issuer's keys; nil means the one in its discovery document. ``TenantProfile/legacyEIAM`` ignores this and uses
    /// `{domain}/api/v1/oauth2/keys`.
    public var keysURL: String?
    /// The allowed `alg` values of an id_token. HMAC and `none` are never allowed. If the discovery document lists algorithms, only those
    /// in both lists are allowed.
    public var algorithms: AlgorithmSet = [.rs256, .rs384, .rs512, .es256, .es384]
    public var profile: TenantProfile = .standard
    public var sessionForm: SessionForm = .sessionToken
    /// The language of the server's texts (`X-L`).
    public var language: Language = .chinese
    /// `X-tenant-id`, for independent software vendors.
    public var tenantID: String?
    /// The device's description in requests, in addition to its identity.
    public var device = DeviceDescription()
    public var pointEncoding: PointEncoding = .plain
    /// What the key of a phone signs. A server that knows only the documents needs `challengeOnly`. A key that was bound with `statement`
    /// never signs less at this project's server.
    public var signatureVersion: SignatureVersion = .statement
    /// The tolerance for an id_token's dates, in whole seconds, after correction by the server's clock. The vendor tolerates 120 s.
    public var leeway: Duration = .seconds(120)
    /// How long a request may take.
    public var timeout: Duration = .seconds(10)
    /// Additional header fields for every request, such as a gateway's. They never replace the protocol's own.
    public var fields: [HeaderField] = []
    public var log: FlowLog = .off

    /// - Parameters:
    ///   - domain: any https origin, `https://tenant.example`; http only if the host is loopback.
    ///   - clientID: the application's id.
    /// - Throws: ``FlowError`` of reason `configuration`.
    public init(domain: String, clientID: String) throws(FlowError) {
        let origin = try TenantOrigin(domain)
        guard !clientID.isEmpty, HeaderField.isOneLine(clientID) else {
            throw FlowError(.configuration("the client id is empty or has control characters"))
        }
        self.domain = origin.text
        self.clientID = clientID
        issuer = origin.text + WirePath.issuer
        isLoopback = origin.isLoopback
    }

    /// Whether the tenant is on this machine.
    public let isLoopback: Bool
}

/// The generation of a tenant's id_tokens.
public enum TenantProfile: String, Sendable {
    /// OIDC: the issuer's URL, the client's id as audience, the user in `sub` and the claims beside it.
    case standard
    /// The employee edition's old tokens: `iss` "Issuer", `aud` "Audience", the user as JSON text in `api`. Such a token names neither the
    /// tenant nor the client. Only keys of the tenant's own domain verify it, and a gateway must never accept it.
    case legacyEIAM
}

/// The proof that a refresh or a logout belongs to the session.
public enum SessionForm: Hashable, Sendable {
    /// The `session-token` field.
    case sessionToken
    /// `X-signature`: the session token, encrypted with the application's public key. OneAccess tenants support no other form.
    case signature(mask: SignatureMask = .sha256)
}

/// The hash in the mask generation function of RSA-OAEP. Libraries disagree: the one in the vendor's sample uses SHA-256, others use SHA-1
/// under the same name.
public enum SignatureMask: Sendable {
    case sha256, sha1
}

/// How requests carry the slider's point.
public enum PointEncoding: Sendable {
    /// As JSON, as in the documented public interface.
    case plain
    /// Encrypted with the key that came with the picture, if there was one (AJ-Captcha). This hides nothing, because the key is sent too.
    case ajAES
}
