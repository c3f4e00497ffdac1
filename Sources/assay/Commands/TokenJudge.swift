import CommandProgram
import Dispatch
import JWTCore
import JWTDecryption
import Locks

/// Verifies tokens for the verify command and describes the results.
struct TokenJudge: Sendable {
    let verifier: TokenVerifier<CommandKeys>
    let now: NumericDate?
    let checksClaims: Bool
    /// Opens encrypted tokens; nil takes only tokens that are not encrypted.
    var decryptor: Decryptor?
    /// What came with the token.
    var binding = PresentedBinding()

    struct Judgement: Sendable {
        var error: VerificationError?
        /// Why it was refused, in words: what was required, and what a token with a valid signature says instead.
        var explanation = ""
        /// The claims as readable text.
        var text = ""
        /// The unchanged payload, if claims are not checked.
        var payload: [UInt8]?
        /// One JSON object.
        var json = ""
    }

    func judge(_ token: [UInt8]) async -> Judgement {
        do throws(VerificationError) {
            return try await verifier.keys.retrying { () throws(VerificationError) in try judgement(on: token) }
        } catch {
            return Judgement(error: error, json: Self.refusal(error))
        }
    }

    /// The same, with an explanation of a refusal, for which the signature is verified once more.
    func judgeExplaining(_ token: [UInt8]) async -> Judgement {
        var judgement = await judge(token)
        guard let error = judgement.error else { return judgement }
        judgement.explanation = verifier.explanation(of: error, token: (try? opened(token)) ?? token, now: now)
        judgement.json = Self.refusal(error, explanation: judgement.explanation)
        return judgement
    }

    /// The same on a thread that may wait: for the fetch that an unknown key id causes. It must be none of the pool that runs tasks, because
    /// a machine with one core has only one of those.
    func judgeWaiting(_ token: [UInt8]) -> Judgement {
        if case .fixed = verifier.keys {
            do throws(VerificationError) { return try judgement(on: token) } catch {
                return Judgement(error: error, json: Self.refusal(error))
            }
        }
        let result = Locked(Judgement()), isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let judgement = await judge(token)
            result.withLock { $0 = judgement }
            isDone.signal()
        }
        isDone.wait()
        return result.withLock { $0 }
    }

    private func judgement(on token: [UInt8]) throws(VerificationError) -> Judgement {
        try MemoryShortage.noting { () throws(VerificationError) in
            let opened = try opened(token)
            return checksClaims ? try claims(of: opened, sentAs: token) : try payload(of: opened)
        }
    }

    /// The signed token: in an encrypted one where there are keys for those.
    private func opened(_ token: [UInt8]) throws(VerificationError) -> [UInt8] { try decryptor?.decrypt(token).bytes ?? token }

    private func claims(of token: [UInt8], sentAs sent: [UInt8]) throws(VerificationError) -> Judgement {
        let result = try verifier.withVerified(token.span, now: now) { claims -> Result<Judgement, VerificationError> in
            do throws(VerificationError) {
                try binding.verify(claims, of: sent, now: now)
                return .success(Judgement(text: JSONWriter.pretty(claims.value, on: .output), json: Self.acceptance(claims)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func payload(of token: [UInt8]) throws(VerificationError) -> Judgement {
        try verifier.withVerifiedPayload(token.span) { payload, header in
            let bytes = Array(copying: payload)
            let header = String(copying: header.value.raw)
            return Judgement(payload: bytes, json: "{\"valid\":true,\"header\":\(header),\(Self.member(payload: bytes))}")
        }
    }

    /// The payload as text, or in base64url if it is not UTF-8.
    private static func member(payload: [UInt8]) -> String {
        if let text = String(validating: payload, as: UTF8.self) { return "\"payload\":\(quoted(text))" }
        return "\"payload_base64url\":\"\(String(decoding: Base64URL.encode(payload), as: UTF8.self))\""
    }

    static func acceptance(_ claims: borrowing Claims) -> String {
        let payload = String(copying: claims.payload), header = String(copying: claims.header.value.raw)
        return "{\"valid\":true,\"header\":\(header),\"claims\":\(payload)}"
    }

    static func refusal(_ error: VerificationError, explanation: String? = nil) -> String {
        var members = ["\"valid\":false", "\"code\":\"\(error.code.name)\"", "\"number\":\(error.code.number)"]
        if let offset = error.offset { members.append("\"offset\":\(offset)") }
        if let claim = error.claim { members.append("\"claim\":\"\(claim.name)\"") }
        members.append("\"reason\":\(quoted(error.code.summary))")
        if let explanation { members.append("\"explanation\":\(quoted(explanation))") }
        return "{\(members.joined(separator: ","))}"
    }
}
