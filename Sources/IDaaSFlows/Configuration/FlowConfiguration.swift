public import JWTCore

/// What is the same for every call of a program to its tenant: where, who, and by which rules. A value; changing a copy changes nothing
/// that was made from it.
public struct FlowConfiguration: Sendable {
    /// The tenant's origin: scheme, host and port, without a slash at the end.
    public let domain: String
    /// The application's id (console: Resources, Applications).
    public let clientID: String
    /// What `iss` of an id_token has to be. By default `{domain}/api/v1/oauth2`.
    public var issuer: String
    /// Where the issuer's keys are; nil: where its discovery document says. With ``TenantProfile/legacyEIAM`` they are
    /// at `{domain}/api/v1/oauth2/keys`, whatever stands here.
    public var keysURL: String?
    /// What `alg` of an id_token may be. HMAC and `none` never are, whatever stands here; nor is what the discovery document does not
    /// name, if it has a list.
    public var algorithms: AlgorithmSet = [.rs256, .rs384, .rs512, .es256, .es384]
    public var profile: TenantProfile = .standard
    public var sessionForm: SessionForm = .sessionToken
    /// The language of the server's texts (`X-L`).
    public var language: FlowLanguage = .chinese
    /// `X-tenant-id`, for independent software vendors.
    public var tenantID: String?
    /// What is said of the device beside its identity.
    public var device = DeviceDescription()
    public var pointEncoding: PointEncoding = .plain
    /// Seconds by which the dates of an id_token may be off, after correction by the server's clock. The vendor tolerates 120.
    public var leeway: Int64 = 120
    /// How long a request may take.
    public var timeout: Duration = .seconds(10)
    /// Fields that every request carries besides, such as those of a gateway in between. They replace none of the protocol's own.
    public var fields: [WireField] = []
    public var log: FlowLog = .off

    /// - Parameters:
    ///   - domain: any https origin, `https://tenant.example`; http only where the host is loopback.
    ///   - clientID: the application's id.
    /// - Throws: ``FlowError`` of reason `configuration`.
    public init(domain: String, clientID: String) throws(FlowError) {
        let origin = try TenantOrigin(domain)
        guard !clientID.isEmpty, WireField.isSendable(clientID) else {
            throw FlowError(.configuration("the client id is empty or not text"))
        }
        self.domain = origin.text
        self.clientID = clientID
        issuer = origin.text + "/api/v1/oauth2"
        isLoopback = origin.isLoopback
    }

    /// Whether the tenant is on this machine.
    public let isLoopback: Bool
}

/// Which generation of tenants the id_tokens are of.
public enum TenantProfile: String, Sendable {
    /// OIDC: the issuer's URL, the client's id as audience, the user in `sub` and the claims beside it.
    case standard
    /// The employee edition's old tokens: `iss` "Issuer", `aud` "Audience", the user in `api`, a JSON text. Nothing in such a token names
    /// the tenant or the client, so only keys of the tenant's own domain are taken, and it is never for a gateway.
    case legacyEIAM
}

/// How a session proves itself when it is refreshed or ended.
public enum SessionForm: Hashable, Sendable {
    /// The `session-token` field.
    case sessionToken
    /// `X-signature`: the session token, encrypted for the application's key. OneAccess tenants know no other.
    case signature(mask: SignatureMask = .sha256)
}

/// The hash inside the mask generation of RSA-OAEP. The vendor's sample names a library that takes SHA-256; others take SHA-1 under the
/// same name.
public enum SignatureMask: Sendable {
    case sha256, sha1
}

/// How the slider's point is sent.
public enum PointEncoding: Sendable {
    /// As JSON. What the public interface documents.
    case plain
    /// Encrypted with the key that came with the picture, where one came (AJ-Captcha). It hides nothing from anybody: the key was sent too.
    case ajAES
}
