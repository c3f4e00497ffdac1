import CommandProgram
import JWTCore
import SelectiveDisclosure

/// Verifies a presentation for the verify command and describes the result.
struct PresentationJudge: Sendable {
    let verifier: PresentationVerifier<CommandKeys>
    let keys: CommandKeys
    let now: NumericDate?

    struct Judgement: Sendable {
        var error: PresentationError?
        /// Why it was refused, in words.
        var explanation = ""
        /// The claims as readable text.
        var text = ""
        /// One JSON object.
        var json = ""
    }

    func judge(_ presentation: [UInt8]) async -> Judgement {
        do throws(PresentationError) {
            return Self.acceptance(try await verified(presentation))
        } catch {
            let explanation = explanation(of: error)
            return Judgement(error: error, explanation: explanation, json: Self.refusal(error, explanation: explanation))
        }
    }

    /// Fetches the keys once more if one is missing.
    private func verified(_ presentation: [UInt8]) async throws(PresentationError) -> VerifiedPresentation {
        let result: Result<VerifiedPresentation, PresentationError>
        do throws(VerificationError) {
            result = try await keys.retrying { () throws(VerificationError) in try attempt(presentation) }
        } catch {
            throw PresentationError(.issuerTokenRefused, cause: error)
        }
        return try result.get()
    }

    /// - Throws: what a fetch may heal.
    private func attempt(_ presentation: [UInt8]) throws(VerificationError) -> Result<VerifiedPresentation, PresentationError> {
        do throws(PresentationError) {
            return .success(try MemoryShortage.noting { () throws(PresentationError) in try verifier.verify(presentation, now: now) })
        } catch {
            guard error.isRetryable, let cause = error.cause else { return .failure(error) }
            throw cause
        }
    }

    private func explanation(of error: PresentationError) -> String {
        guard error.code == .issuerTokenRefused, let cause = error.cause else { return error.description }
        return "\(error.code.name): \(verifier.policy.claims.explanation(of: cause))"
    }

    private static func acceptance(_ presentation: VerifiedPresentation) -> Judgement {
        let header = String(copying: presentation.header.value.raw), claims = String(decoding: presentation.payload, as: UTF8.self)
        var json = "{\"valid\":true,\"header\":\(header),\"claims\":\(claims)"
        if let binding = presentation.keyBinding {
            json += ",\"key_binding\":{\"jkt\":\(quoted(binding.thumbprint)),\"iat\":\(binding.issuedAt.seconds)}"
        }
        return Judgement(text: JSONWriter.pretty(presentation.claims.value, on: .output), json: json + "}")
    }

    private static func refusal(_ error: PresentationError, explanation: String) -> String {
        var members = ["\"valid\":false", "\"code\":\"\(error.code.name)\"", "\"number\":\(error.code.number)"]
        if let cause = error.cause { members.append("\"cause\":\"\(cause.code.name)\",\"cause_number\":\(cause.code.number)") }
        members.append("\"reason\":\(quoted(error.code.summary)),\"explanation\":\(quoted(explanation))")
        return "{\(members.joined(separator: ","))}"
    }
}
