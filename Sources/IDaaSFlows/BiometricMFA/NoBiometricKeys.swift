internal import IDaaSWire

/// A device without biometrics.
struct NoBiometricKeys: BiometricKeyStore {
    func availability() async -> BiometricAvailability { .unavailable(.unsupported) }

    func publicKey(_ name: BiometricKeyName) async throws(BiometricFailure) -> [UInt8] { throw .unsupported }

    func name(ofPublicKey publicKey: [UInt8]) async throws(BiometricFailure) -> BiometricKeyName? { nil }

    func signature(
        _ name: BiometricKeyName, for reason: BiometricReason, reuse: Duration, of message: @Sendable (UserVerification) -> [UInt8]
    ) async throws(BiometricFailure) -> BiometricSignature {
        throw .unsupported
    }

    func remove(_ name: BiometricKeyName) async throws(BiometricFailure) {}
}
