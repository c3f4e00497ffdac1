/// The data that a callback of the vendor's SDK gets beside its code.
public enum LegacyData: Hashable, Sendable {
    case none
    case text(String)
    case dictionary([String: WireValue])

    /// As the SDK passes it: an empty string, a `String`, or a dictionary of strings, numbers, lists and dictionaries.
    public var asAny: Any {
        switch self {
        case .none: ""
        case .text(let text): text
        case .dictionary(let members): members.mapValues(\.asAny)
        }
    }
}

extension WireValue {
    /// As Foundation classes, with an empty string for null.
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
public typealias BCWechatCompletionHandler = LegacyHandler
public typealias BCWechatAPILoginCallBackHandler = LegacyHandler
public typealias BCWechatSlideCodeHandlerBlock = LegacyHandler
public typealias BCWechatSendSMSHandlerBlock = LegacyHandler
public typealias BCWechatBindCompleteHandler = LegacyHandler
public typealias BCWechatRegistCompleteHandler = LegacyHandler
public typealias BCIDAFingerCheckTypeBlock = LegacyHandler
public typealias BCMFABioDeviceStatusCompleteHandler = LegacyHandler
public typealias BCMFABioDeviceBindCompleteHandler = LegacyHandler
public typealias BCMFABioDeviceUnbindCompleteHandler = LegacyHandler
public typealias BCMFABioVerifyCheckCompleteHandler = LegacyHandler
public typealias BCMFABioVerifyCompleteHandler = LegacyHandler
public typealias BCIDAFingerPrintKeypairGenerateCompleteHandler = LegacyHandler
public typealias BCIDAFingerPrintSignDataCompleteHandler = LegacyHandler

/// A callback that gets one dictionary, its code included.
public typealias LegacyReplyHandler = @Sendable (LegacyData) -> Void
public typealias BCMFABioAPIBindCompleteHandler = LegacyReplyHandler
public typealias BCMFABioAPIUnBindCompleteHandler = LegacyReplyHandler
public typealias BCMFABioAPIRequestAvailableCompleteHandler = LegacyReplyHandler
public typealias BCMFABioAPIResponseToMfaCompleteHandler = LegacyReplyHandler
