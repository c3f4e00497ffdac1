public import IDaaSWire

/// Verifies that the phone's owner is present: by face, finger or passcode. On Apple's systems LocalAuthentication does it.
public protocol UserVerifier: Sendable {
    /// Whether and how a user can be verified. Does not ask the user.
    func availability() async -> BiometricAvailability

    /// Asks the user.
    func verify(for reason: BiometricReason) async throws(BiometricFailure) -> UserPresence

    /// Identifies the enrolled faces and fingers: a new enrolment changes it, and voids the keys.
    func enrolment() async -> String
}

/// A user who was verified just now.
public struct UserPresence: Hashable, Sendable {
    public let verification: UserVerification

    public init(_ verification: UserVerification) { self.verification = verification }
}
