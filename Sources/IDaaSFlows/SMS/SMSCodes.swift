internal import IDaaSWire
internal import JWKSCache
internal import JWTCore

/// The slider and the SMS, which every flow with a code shares.
struct SMSCodes: Sendable {
    let wire: WireClient

    func solveSlider(_ mobile: String, _ presenter: any SliderPresenter) async -> SliderOutcome {
        do throws(FlowError) {
            let round = SliderRound(wire: wire, mobile: try WireText.checked(mobile, WireMember.mobile), presenter: presenter)
            return try await round.solve()
        } catch {
            return .failed(error)
        }
    }

    /// - Parameter stateToken: the login that the code belongs to, unless the code itself logs in.
    func send(_ pass: SliderPass, for purpose: SMSPurpose, stateToken: String? = nil) async -> SMSCodeOutcome {
        do throws(FlowError) {
            let mobile = try WireText.checked(pass.mobile, WireMember.mobile)
            let body: [String: WireValue] = [
                WireMember.mobile: .text(mobile), WireMember.type: .text(purpose.rawValue),
                WireMember.captchaToken: .text(pass.captchaToken),
            ]
            var fields = [HeaderField("Prefer", "return=representation")]
            if let stateToken { fields.append(HeaderField(WireHeader.stateToken, stateToken)) }
            let answer = try await wire.call(WireCall(post: WirePath.smsSend, body, fields))
            wire.configuration.log.write("SMS sent to \(Masked.mobile(mobile)) for \(purpose.rawValue)")
            return .sent(pending(mobile, purpose, answer.value))
        } catch {
            return .failed(error)
        }
    }

    /// The slider, then the SMS.
    func request(
        _ mobile: String, _ presenter: any SliderPresenter, for purpose: SMSPurpose, stateToken: String? = nil
    ) async -> SMSCodeOutcome {
        switch await solveSlider(mobile, presenter) {
        case .solved(let pass): await send(pass, for: purpose, stateToken: stateToken)
        case .closed: .sliderClosed
        case .failed(let error): .failed(error)
        }
    }

    /// The body of a call that redeems a code.
    static func redemption(mobile: String, code: String, nonce: String?) throws(FlowError) -> [String: WireValue] {
        var body: [String: WireValue] = [
            WireMember.mobile: .text(try WireText.checked(mobile, WireMember.mobile)),
            WireMember.code: .text(try WireText.checked(code, WireMember.code)),
        ]
        if let nonce { body[WireMember.nonce] = .text(nonce) }
        return body
    }

    /// The answer may have no body, or a text instead of the times.
    private func pending(_ mobile: String, _ purpose: SMSPurpose, _ answer: WireValue?) -> PendingSMS {
        let span = { (name: String, usual: Duration) in
            answer?.unwrapped[name]?.integer.flatMap { (1...86_400).contains($0) ? .seconds($0) : nil } ?? usual
        }
        return PendingSMS(
            mobile: mobile, purpose: purpose, sentAt: wire.clock.date.seconds, lifetime: span(WireMember.expire, PendingSMS.usualLifetime),
            interval: span(WireMember.interval, PendingSMS.usualInterval))
    }
}
