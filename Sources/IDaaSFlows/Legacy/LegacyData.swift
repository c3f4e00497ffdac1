/// What a callback of the vendor's SDK is handed beside its code.
public enum LegacyData: Hashable, Sendable {
    case none
    case text(String)
    case dictionary([String: WireValue])

    /// As the SDK has it: `NSNull` is an empty string, a text a `String`, a dictionary one of strings, numbers, lists and dictionaries.
    public var asAny: Any {
        switch self {
        case .none: ""
        case .text(let text): text
        case .dictionary(let members): members.mapValues(\.asAny)
        }
    }
}

extension WireValue {
    /// As the foundation classes would have it.
    public var asAny: Any {
        switch self {
        case .null: ""
        case .bool(let bool): bool
        case .integer(let number): number
        case .number(let number): number
        case .text(let text): text
        case .list(let elements): elements.map(\.asAny)
        case .object(let members): members.mapValues(\.asAny)
        }
    }
}

public typealias LegacyHandler = @Sendable (String, LegacyData) -> Void
public typealias BCSMSGetInternationalAreaCodeHandlerBlock = LegacyHandler
public typealias BCSMSLoginSlideCodeHandlerBlock = LegacyHandler
public typealias BCLoginSMSCompleteHandler = LegacyHandler
public typealias BCIDAIdTokenVerifyHandlerBlock = LegacyHandler
public typealias BCIDAIdTokenGetInfoHandlerBlock = LegacyHandler
public typealias BCIDAIdTokenRefreshIDTokenHandlerBlock = LegacyHandler
