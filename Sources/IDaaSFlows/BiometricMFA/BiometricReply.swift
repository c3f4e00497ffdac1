internal import IDaaSWire
internal import JWTCore

/// The envelope of biometric replies, `{code, data, message}`.
///
/// The documents disagree about errors: by their tables an error has another code than 0, by their text it has code 0 and a message. Both are
/// read as errors.
struct BiometricReply {
    /// Null where there is none.
    let data: WireValue

    /// - Throws: `service` for an error; `unexpectedAnswer` for a reply without the envelope.
    init(_ answer: WireAnswer) throws(FlowError) {
        let envelope = try answer.object()
        guard let code = envelope[WireMember.envelopeCode]?.filled else { throw answer.unexpected }
        let message = envelope[WireMember.message]?.filled
        let data = envelope[WireMember.data]?.unwrapped ?? .null
        if code != BiometricEnvelope.success || message != nil && data == .null {
            let wireCode = code == BiometricEnvelope.success ? "1" : code
            let refusal = ServiceRefusal(status: answer.status, wireCode: wireCode, message: message ?? "")
            throw FlowError(.service(refusal), requestID: answer.requestID)
        }
        self.data = data
    }

    /// `true`, "true" or 1. Null and `false` are a failure without a reason.
    var isDone: Bool { data.truth }
}

extension FlowError {
    /// The code of a biometric call's callback. Before its own codes, each has the server's, and `1` for a missing argument.
    ///
    /// An id_token that this device refuses has the code with which the server refuses it.
    var biometricCode: String {
        guard case .token(let error) = reason, error.code != .keysUnavailable else { return legacyCode }
        return ServiceCode.expired.rawValue
    }

    /// The phone's own reason.
    var biometric: BiometricFailure? { if case .biometric(let failure) = reason { failure } else { nil } }
}
