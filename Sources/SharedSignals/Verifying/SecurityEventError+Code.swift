extension SecurityEventError {
    /// The kind of failure. Names and numbers are stable; more may be added. No other interface has numbers from 800 to 899.
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

extension SecurityEventError.Code {
    /// The token was not verified: ``SecurityEventError/cause`` says why.
    public static let tokenRefused = Self(.token_refused)
    public static let missingEvents = Self(.missing_events)
    public static let invalidEvents = Self(.invalid_events)
    public static let tooManyEvents = Self(.too_many_events)
    public static let invalidEvent = Self(.invalid_event)
    public static let unexpectedSubject = Self(.unexpected_subject)
    public static let missingSubject = Self(.missing_subject)
    public static let invalidSubject = Self(.invalid_subject)
    public static let invalidText = Self(.invalid_text)
}

/// The numbers. Case names are the public names, so that no second table can disagree.
private enum Known: UInt16, CaseIterable {
    case token_refused = 800
    case missing_events = 801
    case invalid_events = 802
    case too_many_events = 803
    case invalid_event = 804
    case unexpected_subject = 805
    case missing_subject = 806
    case invalid_subject = 807
    case invalid_text = 808

    var summary: String {
        switch self {
        case .token_refused: "the token that has the events is refused"
        case .missing_events: "the token has no events"
        case .invalid_events: "events is not an object with at least one member, or a member of it is not an object"
        case .too_many_events: "events has more members than the limit"
        case .invalid_event: "a member of a known event has the wrong type"
        case .unexpected_subject: "the token has sub; its subject belongs into sub_id"
        case .missing_subject: "an event is about a subject, and the token has no sub_id"
        case .invalid_subject: "sub_id is not a subject identifier"
        case .invalid_text: "iss, aud, jti or txn is empty, is not a string, or is longer than the limit"
        }
    }
}
