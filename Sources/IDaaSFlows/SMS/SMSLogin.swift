public import IDaaSWire
internal import JWKSCache
internal import JWTCore

/// Login with a mobile number and an SMS code: a slider, an SMS, a login. Only a successful login replaces an existing session.
public struct SMSLogin: Sendable {
    private let wire: WireClient
    private let codes: SMSCodes
    private let sessions: SessionKeeper

    init(_ wire: WireClient, _ sessions: SessionKeeper) {
        self.wire = wire
        self.sessions = sessions
        codes = SMSCodes(wire: wire)
    }

    /// Shows the user a slider for a number. After a wrong answer it shows another picture.
    ///
    /// - Parameters:
    ///   - mobile: `+86-13800000000` or `13800000000`.
    ///   - presenter: shows the pictures and returns the user's answer.
    public func solveSlider(mobile: String, presenter: any SliderPresenter) async -> SliderOutcome {
        await codes.solveSlider(mobile, presenter)
    }

    /// Requests an SMS for a solved slider. If the answer was lost, try the same pass again within 30 s: the server sends no second SMS for
    /// it.
    public func sendSMS(_ pass: SliderPass, for purpose: SMSPurpose = .login) async -> SMSCodeOutcome {
        await codes.send(pass, for: purpose)
    }

    /// Does the slider and the SMS in one call, as the vendor's SDK does.
    public func requestCode(
        mobile: String, slider presenter: any SliderPresenter, for purpose: SMSPurpose = .login
    ) async -> SMSCodeOutcome {
        await codes.request(mobile, presenter, for: purpose)
    }

    /// Logs in and stores the session.
    ///
    /// - Parameters:
    ///   - mobile: the number that the code was sent to.
    ///   - code: the code of the SMS.
    ///   - nonce: the `nonce` for the id_token, for ``IDTokenVerification/verify(_:nonce:)``.
    public func logIn(mobile: String, code: String, nonce: String? = nil) async -> LoginOutcome {
        do throws(FlowError) {
            let body = try SMSCodes.redemption(mobile: mobile, code: code, nonce: nonce)
            let answer = try await wire.call(WireCall(post: WirePath.smsLogin, body))
            return try await sessions.begin(with: answer)
        } catch {
            return .failed(error)
        }
    }

    /// The time until another SMS can be sent: now, then each second until zero. It stops when it has no listener.
    public func resendCountdown(_ pending: PendingSMS) -> AsyncStream<Duration> {
        let clock = wire.clock
        return AsyncStream { continuation in
            let task = Task {
                let delay = pending.resendDelay(at: clock.date.seconds)
                let end = clock.elapsed + delay
                for left in stride(from: delay.components.seconds, through: 0, by: -1) {
                    await clock.sleep(until: end - .seconds(left))
                    guard !Task.isCancelled else { break }
                    continuation.yield(.seconds(left))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
