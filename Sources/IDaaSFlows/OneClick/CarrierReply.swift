public import IDaaSWire

/// What a carrier's SDK says, in one callback: `{resultCode, msg, token}`.
public struct CarrierReply: Hashable, Sendable {
    public let code: CarrierCode
    /// For people, as the SDK wrote it.
    public let message: String
    /// The login token. A program that has it can log in with its number for minutes.
    public let token: String?
    /// Whether the check box is set: with `700002` and `700003`.
    public let isConsented: Bool?

    public init(_ code: CarrierCode, message: String = "", token: String? = nil, isConsented: Bool? = nil) {
        self.code = code
        self.message = message
        self.token = token
        self.isConsented = isConsented
    }
}

extension CarrierReply: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the token.
    public var description: String { "\(code) \(message)" }
    public var debugDescription: String { description }
}

/// Why there is no login token.
public struct CarrierFailure: Error, Hashable, Sendable {
    /// As the carrier's SDK gave it.
    public let code: CarrierCode
    public let meaning: CarrierMeaning
    public let message: String

    public init(_ code: CarrierCode, _ message: String = "") { self.init(code, code.meaning, message) }

    init(_ code: CarrierCode, _ meaning: CarrierMeaning, _ message: String = "") {
        self.code = code
        self.meaning = meaning
        self.message = message
    }

    init(_ reply: CarrierReply) { self.init(reply.code, reply.message) }

    /// The result code of the SDK document.
    public var legacyCode: String { meaning.legacyCode ?? "4444" }

    /// One sentence for the user, with the SDK's code.
    public func text(in language: Language) -> String { "\(meaning.text(in: language)) [\(code)]" }
}
