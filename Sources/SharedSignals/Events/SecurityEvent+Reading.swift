internal import JWTCore

extension SecurityEvent {
    /// The events of a token.
    ///
    /// - Throws: `missing_events`, `invalid_events`, `too_many_events`, `invalid_event`.
    static func list(in claims: borrowing Claims, _ limits: SecurityEventLimits) throws(SecurityEventError) -> [SecurityEvent] {
        guard let events = claims["events"] else { throw SecurityEventError(.missingEvents) }
        guard events.isObject, events.count > 0 else { throw SecurityEventError(.invalidEvents) }
        guard events.count <= limits.events else { throw SecurityEventError(.tooManyEvents) }
        var list: [SecurityEvent] = []
        try events.forEachMember { (name, value) throws(SecurityEventError) in
            list.append(try SecurityEvent(name, value, limits))
        }
        return list
    }

    private init(
        _ name: borrowing JSONString, _ value: borrowing JSONValue, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) {
        guard value.isObject, name.raw.count > 0, name.raw.count <= limits.textBytes else { throw SecurityEventError(.invalidEvents) }
        let name = name.string
        switch Name.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) {
        case .sessionRevoked: self = .sessionRevoked(at: try Self.date(in: value))
        case .sessionsRevoked: self = .sessionsRevoked(sessions: try Self.sessions(in: value, limits), at: try Self.date(in: value))
        case .credentialChange:
            self = .credentialChange(
                type: try value.requiredText("credential_type", .invalidEvent, limits),
                change: try value.requiredText("change_type", .invalidEvent, limits), at: try Self.date(in: value))
        case .verification: self = .verification(state: try value.text("state", .invalidEvent, limits))
        case .streamUpdated: self = .streamUpdated(status: try value.requiredText("status", .invalidEvent, limits))
        case nil: self = .unknown(name)
        }
    }

    private static func sessions(
        in value: borrowing JSONValue, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) -> [String] {
        guard let list = value["sessions"], list.isArray, list.count > 0 else { throw SecurityEventError(.invalidEvent) }
        var sessions: [String] = []
        for place in 0..<list.count {
            guard let name = list[place] else { throw SecurityEventError(.invalidEvent) }
            sessions.append(try name.text(.invalidEvent, limits))
        }
        return sessions
    }

    /// `event_timestamp`, in seconds (CAEP 1.0 section 2). One in milliseconds is no date before the year 10000.
    private static func date(in value: borrowing JSONValue) throws(SecurityEventError) -> NumericDate? {
        guard let stated = value["event_timestamp"] else { return nil }
        guard let number = stated.number, let date = NumericDate(number) else { throw SecurityEventError(.invalidEvent) }
        return date
    }
}
