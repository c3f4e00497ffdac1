/// Turns what a carrier's SDK says while its page is open into events, and keeps the rules: one token, with consent, in time.
struct OneClickSteps {
    private var isConsented: Bool
    /// Whether the page was shown at any time.
    private(set) var isShown = false
    /// Whether the button was pressed with consent, and the token is awaited.
    private(set) var awaitsToken = false

    init(_ page: OneClickPage) { isConsented = page.isConsented }

    /// Whether something has to come within the time-out: the page, or the token.
    var isHurried: Bool { !isShown || awaitsToken }

    /// - Parameter now: seconds since 1970.
    /// - Returns: nil for what is no event.
    mutating func event(for reply: CarrierReply, now: Int64) -> OneClickEvent? {
        if let isChecked = reply.isConsented { isConsented = isChecked }
        switch reply.code.meaning {
        case .success, .environmentReady:
            // The old code for "page shown" and for "fetched" is the same: what has a token is the token.
            guard let token = reply.token, !token.isEmpty else { return show() }
            guard isConsented else { return .failed(CarrierFailure(reply.code, .consentMissing)) }
            return .login(CarrierToken(token, consentedAt: now))
        case .pageShown: return show()
        case .consentChanged: return .consentChanged(isConsented)
        case .loginPressed:
            guard isConsented else { return .consentRequired }
            awaitsToken = true
            return nil
        case .linkPressed: return .agreementOpened
        case .consentPage: return nil
        case .switchMethod: return .switchMethod
        case .back: return .cancelled
        default: return .failed(CarrierFailure(reply))
        }
    }

    private mutating func show() -> OneClickEvent? {
        defer { isShown = true }
        return isShown ? nil : .pageShown
    }
}
