import IDaaSFlows
import IDaaSWire
import JWTTestSupport

/// A user who is recognised, or is not, as a test says.
final class ScriptedVerifier: UserVerifier {
    private struct State {
        var availability: BiometricAvailability = .face
        var failure: BiometricFailure?
        var verification = UserVerification.biometric
        var enrolment = "e-1"
        var reasons: [BiometricReason] = []
    }

    private let state = Guarded(State())

    func set(
        availability: BiometricAvailability = .face, failure: BiometricFailure? = nil, verification: UserVerification = .biometric,
        enrolment: String = "e-1"
    ) {
        state.withLock {
            $0.availability = availability
            $0.failure = failure
            $0.verification = verification
            $0.enrolment = enrolment
        }
    }

    /// Why the user was asked, in order.
    var reasons: [BiometricReason] { state.withLock { $0.reasons } }

    func availability() async -> BiometricAvailability { state.withLock { $0.availability } }

    func verify(for reason: BiometricReason) async throws(BiometricFailure) -> UserPresence {
        let (failure, verification) = state.withLock { state in
            state.reasons.append(reason)
            return (state.failure, state.verification)
        }
        if let failure { throw failure }
        return UserPresence(verification)
    }

    func enrolment() async -> String { state.withLock { $0.enrolment } }
}
