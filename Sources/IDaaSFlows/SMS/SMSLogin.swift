internal import JWKSCache
internal import JWTCore

/// Login with a mobile number and the code of an SMS: a slider, an SMS, a login. No step touches a session that is there already, but a
/// login that succeeds, which replaces it.
public struct SMSLogin: Sendable {
    private let wire: WireClient
    private let sessions: SessionKeeper

    init(_ wire: WireClient, _ sessions: SessionKeeper) {
        self.wire = wire
        self.sessions = sessions
    }

    /// Has a slider solved for a number. A wrong answer brings another picture.
    ///
    /// - Parameter mobile: `+86-13800000000` or `13800000000`.
    public func solveSlider(mobile: String, _ presenter: any SliderPresenter) async -> SliderOutcome {
        do throws(FlowError) {
            let round = SliderRound(wire: wire, mobile: try Self.checked(mobile, "mobile"), presenter: presenter)
            return try await round.solve()
        } catch {
            return .failed(error)
        }
    }

    /// Has an SMS sent for a slider that was solved. Where the answer was lost, the same pass may be tried again within 30 s: the server
    /// sends no second SMS for it.
    public func sendSMS(_ pass: SliderPass, for purpose: SMSPurpose = .login) async -> SMSCodeOutcome {
        do throws(FlowError) {
            let mobile = try Self.checked(pass.mobile, "mobile")
            let body: [String: WireValue] = [
                "mobile": .text(mobile), "type": .text(purpose.name), "captcha_token": .text(pass.captchaToken),
            ]
            let prefer = [WireField("Prefer", "return=representation")]
            let answer = try await wire.call(WireCall(post: "/api/v2/sdk/sms/send", body, prefer))
            wire.configuration.log.write("SMS sent to \(Masked.mobile(mobile)) for \(purpose.name)")
            return .sent(pending(mobile, purpose, answer.value))
        } catch {
            return .failed(error)
        }
    }

    /// The slider and the SMS, as the vendor's SDK has them in one call.
    public func requestCode(
        mobile: String, slider presenter: any SliderPresenter, for purpose: SMSPurpose = .login
    ) async -> SMSCodeOutcome {
        switch await solveSlider(mobile: mobile, presenter) {
        case .solved(let pass): await sendSMS(pass, for: purpose)
        case .closed: .sliderClosed
        case .failed(let error): .failed(error)
        }
    }

    /// Logs in, and stores the session.
    ///
    /// - Parameter nonce: what the id_token is to carry as its `nonce`, for ``IDTokenVerification/verify(_:nonce:)``.
    public func logIn(mobile: String, code: String, nonce: String? = nil) async -> LoginOutcome {
        do throws(FlowError) {
            var body: [String: WireValue] = [
                "mobile": .text(try Self.checked(mobile, "mobile")), "verify_code": .text(try Self.checked(code, "verify_code")),
            ]
            if let nonce { body["nonce"] = .text(nonce) }
            let answer = try await wire.call(WireCall(post: "/api/v2/sdk/login/mobile-verify-code", body))
            return try await sessions.begin(with: answer)
        } catch {
            return .failed(error)
        }
    }

    /// The seconds until another SMS can be sent: what is left now, then one less each second, zero at last. Ends when nobody listens.
    public func resendCountdown(_ pending: PendingSMS) -> AsyncStream<Int64> {
        let clock = wire.clock
        return AsyncStream { continuation in
            let task = Task {
                let delay = pending.resendDelay(at: clock.date.seconds)
                let end = clock.elapsed + .seconds(delay)
                for left in stride(from: delay, through: 0, by: -1) {
                    await clock.sleep(until: end - .seconds(left))
                    guard !Task.isCancelled else { break }
                    continuation.yield(left)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// An answer without a body, or with text in it, is as good as one with the times.
    private func pending(_ mobile: String, _ purpose: SMSPurpose, _ answer: WireValue?) -> PendingSMS {
        let seconds = { (name: String, usual: Int64) in
            answer?.unwrapped[name]?.integer.flatMap { (1...86_400).contains($0) ? $0 : nil } ?? usual
        }
        return PendingSMS(
            mobile: mobile, purpose: purpose, sentAt: wire.clock.date.seconds, lifetime: seconds("expire", PendingSMS.usualLifetime),
            interval: seconds("interval", PendingSMS.usualInterval))
    }

    private static func checked(_ text: String, _ name: String) throws(FlowError) -> String {
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty else { throw FlowError(.missingInput(name)) }
        guard trimmed.utf8.count <= 64, WireField.isSendable(trimmed) else { throw FlowError(.invalidInput(name)) }
        return trimmed
    }
}
