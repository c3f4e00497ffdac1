internal import IDaaSWire

/// A WeChat account without a user: the person proves a mobile number, and the server binds it. Store it, so that a restarted app can
/// continue from it.
public struct BindingStep: Codable, Hashable, Sendable {
    public let kind: Kind
    /// Carries the login on. It lives ten minutes, on this device alone.
    public let stateToken: String
    /// What the server lets the person prove. The flows prove a number.
    public let verifications: [Verification]

    /// Which of the two pages the server wants.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// `USER_REGISTER`: a new user with this number. If the number has a user, the two are joined.
        case register = "USER_REGISTER"
        /// `SOCIAL_BIND`: the user who has this number.
        case bind = "SOCIAL_BIND"
    }

    public enum Verification: String, Codable, Hashable, Sendable, CaseIterable {
        case phone = "VERIFY_PHONE"
        case email = "VERIFY_EMAIL"
    }

    /// - Parameters:
    ///   - kind: what the server asks for.
    ///   - stateToken: continues this login on this device.
    ///   - verifications: in the server's order.
    public init(_ kind: Kind, stateToken: String, verifications: [Verification] = [.phone]) {
        self.kind = kind
        self.stateToken = stateToken
        self.verifications = verifications
    }

    /// Reads the reply of a login. `data` is JSON in a string, or the object itself.
    ///
    /// - Returns: nil for a reply of another status, or without a state token.
    init?(_ reply: WireValue) {
        guard let kind = Kind(rawValue: reply.loginStatus), let stateToken = reply[WireMember.stateToken]?.filled else { return nil }
        let listed = reply[WireMember.data]?.unwrapped[NextStep.verifications]?.elements?.compactMap(\.text)
        self.init(
            kind, stateToken: stateToken, verifications: listed?.compactMap { Verification(rawValue: $0) } ?? [.phone])
    }

    /// What the SMS is for.
    var purpose: SMSPurpose { kind == .register ? .register : .bindMobile }

    var path: String { kind == .register ? WirePath.socialRegister : WirePath.socialBind }
}

extension BindingStep: CustomStringConvertible, CustomDebugStringConvertible {
    /// A digest, not the token.
    public var description: String { "\(kind.rawValue) \(Masked.token(stateToken))" }
    public var debugDescription: String { description }
}
