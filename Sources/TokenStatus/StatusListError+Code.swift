extension StatusListError {
    /// The kind of failure. Names and numbers are stable; more may be added. No other interface has numbers from 700 to 709.
    public struct Code: Hashable, Sendable {
        private let known: Known
        private init(_ known: Known) { self.known = known }

        public var number: UInt16 { known.rawValue }
        /// The name in logs and metrics.
        public var name: String { "\(known)" }
        /// A one-sentence summary.
        public var summary: String { known.summary }

        /// Every code, in order of number.
        public static var all: [Self] { Known.allCases.map(Self.init) }
    }
}

extension StatusListError.Code {
    /// The token was not verified, or is not the Status List Token that was asked for: ``StatusListError/cause`` says why.
    public static let tokenRefused = Self(.token_refused)
    public static let missingStatusList = Self(.missing_status_list)
    public static let invalidStatusList = Self(.invalid_status_list)
    public static let invalidBits = Self(.invalid_bits)
    public static let invalidTimeToLive = Self(.invalid_time_to_live)
    public static let invalidEncoding = Self(.invalid_encoding)
    public static let invalidCompression = Self(.invalid_compression)
    public static let truncatedList = Self(.truncated_list)
    public static let trailingBytes = Self(.trailing_bytes)
    public static let listTooLarge = Self(.list_too_large)
}

/// The numbers. Case names are the public names, so that no second table can disagree.
private enum Known: UInt16, CaseIterable {
    case token_refused = 700
    case missing_status_list = 701
    case invalid_status_list = 702
    case invalid_bits = 703
    case invalid_time_to_live = 704
    case invalid_encoding = 705
    case invalid_compression = 706
    case truncated_list = 707
    case trailing_bytes = 708
    case list_too_large = 709

    var summary: String {
        switch self {
        case .token_refused: "the token that has the list is refused"
        case .missing_status_list: "the token has no status_list"
        case .invalid_status_list: "status_list is not an object, or a member of it has the wrong type"
        case .invalid_bits: "bits is not 1, 2, 4 or 8"
        case .invalid_time_to_live: "ttl is not a positive integer"
        case .invalid_encoding: "lst is not strict base64url"
        case .invalid_compression: "lst is not a zlib stream, or its checksum is wrong"
        case .truncated_list: "the zlib stream in lst has no end"
        case .trailing_bytes: "lst has bytes after its zlib stream"
        case .list_too_large: "the list is larger than its limit, or memory is exhausted"
        }
    }
}
