/// What a status list says of a token, or why none says anything.
public enum StatusFinding: Hashable, Sendable {
    /// 0x00 (draft-ietf-oauth-status-list-20 section 7.1).
    case valid
    /// 0x01: revoked for good.
    case invalid
    /// 0x02: perhaps valid again later.
    case suspended
    /// A status of the application.
    case other(UInt8)
    /// There is no list yet. A fetch is in progress, or follows as soon as the limits permit.
    case unknownList
    /// The issuer is unknown, or its configuration does not name the origin of the address. It is never requested.
    case forbiddenList
    /// The list that its address has was refused, and no other is accepted.
    case refusedList
    /// The last list is too old, and its address has no newer one.
    case staleList
    /// The list has no such place. The token must be refused (section 8.3).
    case beyondEnd

    /// The finding for what a list has at a token's place; nil: it has no such place.
    init(_ status: UInt8?) {
        self =
            switch status {
            case 0: .valid
            case 1: .invalid
            case 2: .suspended
            case let status?: .other(status)
            case nil: .beyondEnd
            }
    }

    /// The stable name, for metrics and logs.
    public var code: String { Self.codes[position] }

    /// Every ``code``, once.
    package static let codes = [
        "valid", "invalid", "suspended", "other", "unknown_list", "forbidden_list", "refused_list", "stale_list", "beyond_end",
    ]

    /// The position of ``code`` in ``codes``.
    package var position: Int {
        switch self {
        case .valid: 0
        case .invalid: 1
        case .suspended: 2
        case .other: 3
        case .unknownList: 4
        case .forbiddenList: 5
        case .refusedList: 6
        case .staleList: 7
        case .beyondEnd: 8
        }
    }
}
