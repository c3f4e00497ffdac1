import IDaaSFlows
import IDaaSWire

/// A user who answers every slider, and gives up at the third.
struct FuzzedSlider: SliderPresenter {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        challenge.ordinal > 2 ? .closed : challenge.ordinal == 2 ? .another : .point(SliderPoint(x: 40))
    }
}

/// The keys of a phone whose user always agrees.
struct FuzzedBiometricKeys: BiometricKeyStore {
    func availability() async -> BiometricAvailability { .unavailable(.unsupported) }

    func publicKey(_ name: BiometricKeyName) async throws(BiometricFailure) -> [UInt8] { [0x30, 0x03, 0x02, 0x01, 0x00] }

    func name(ofPublicKey publicKey: [UInt8]) async throws(BiometricFailure) -> BiometricKeyName? { nil }

    func signature(
        _ name: BiometricKeyName, for reason: BiometricReason, reuse: Duration, of message: @Sendable (UserVerification) -> [UInt8]
    ) async throws(BiometricFailure) -> BiometricSignature {
        precondition(!message(.biometric).isEmpty, "an empty text is signed")
        return BiometricSignature(bytes: [1, 2, 3], verification: .biometric)
    }

    func remove(_ name: BiometricKeyName) async throws(BiometricFailure) {}
}

/// URLs that a program is opened with.
enum Callback {
    static func handle(_ url: String) -> (any FlowOutcome)? {
        guard let application = try? WeChatApplication(id: "wx0123456789abcdef", universalLink: "https://app.example/wx/") else {
            preconditionFailure("the fuzzer's own application is refused")
        }
        _ = WeChatCallbackRouter(application).handle(url: url)
        return nil
    }
}
