public import IDaaSWire

/// Keeps one P-256 key pair for each user, which signs only after the phone verified its user. No private key leaves the store.
///
/// In the Secure Enclave a key has the access control `biometryCurrentSet` and `privateKeyUsage` and stays on the device. A verification
/// whose only result is a boolean must never stand for a signature (OWASP MASTG).
public protocol BiometricKeyStore: Sendable {
    /// Whether and how the phone can verify its user. Does not ask the user.
    func availability() async -> BiometricAvailability

    /// The public key in DER (SubjectPublicKeyInfo). Makes a key if there is none, or if a new enrolment has voided it.
    func publicKey(_ name: BiometricKeyName) async throws(BiometricFailure) -> [UInt8]

    /// The name of the key with this public key; nil if it is not here.
    func name(ofPublicKey publicKey: [UInt8]) async throws(BiometricFailure) -> BiometricKeyName?

    /// Verifies the user, then signs.
    ///
    /// - Parameters:
    ///   - name: the key that signs.
    ///   - reason: what the phone tells its user.
    ///   - reuse: a verification of at most this age serves again. Zero always asks the user.
    ///   - message: makes the text to sign; it names the way in which the user was verified.
    /// - Throws: `keyMissing`, `keyInvalidated`; the reason why the user was not verified.
    func signature(
        _ name: BiometricKeyName, for reason: BiometricReason, reuse: Duration, of message: @Sendable (UserVerification) -> [UInt8]
    ) async throws(BiometricFailure) -> BiometricSignature

    /// Removes a key, if it is there.
    func remove(_ name: BiometricKeyName) async throws(BiometricFailure)
}

/// The user of a key: a user of an application at a tenant.
public struct BiometricKeyName: Codable, Hashable, Sendable {
    public let domain: String
    public let clientID: String
    /// Unique within the app. The app chooses it, and uses the same at binding and at each answer.
    public let userID: String

    public init(domain: String, clientID: String, userID: String) {
        self.domain = domain
        self.clientID = clientID
        self.userID = userID
    }
}

/// Why the phone asks its user.
public enum BiometricReason: Hashable, Sendable {
    case bind
    case unbind
    /// Somebody logs in to this application, by its name at the server.
    case approve(clientName: String)
    case deny(clientName: String)
    /// The app has a text signed.
    case sign
}

/// A signature after a verification of the user.
public struct BiometricSignature: Hashable, Sendable {
    /// ECDSA with SHA-256, in DER.
    public let bytes: [UInt8]
    public let verification: UserVerification

    public init(bytes: [UInt8], verification: UserVerification) {
        self.bytes = bytes
        self.verification = verification
    }
}
