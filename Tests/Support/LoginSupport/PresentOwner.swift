public import IDaaSFlows
internal import IDaaSWire

/// The owner of a phone, who is present whenever it asks.
public struct PresentOwner: UserVerifier {
    public init() {}

    public func availability() async -> BiometricAvailability { .face }

    public func verify(for reason: BiometricReason) async throws(BiometricFailure) -> UserPresence { UserPresence(.biometric) }

    public func enrolment() async -> String { "e-1" }
}
