/// A status list. Its statuses are computed from the places that are revoked when it is published.
package struct StoredStatusList: Hashable, Sendable {
    package var id: String
    /// The number of statuses, a multiple of eight.
    package var size: Int
    package var opened: Timestamp
    /// The first instant at which it takes no new sessions.
    package var openUntil: Timestamp
    /// The first instant at which every id_token that names it has expired.
    package var expires: Timestamp

    package init(id: String, size: Int, opened: Timestamp, openUntil: Timestamp, expires: Timestamp) {
        self.id = id
        self.size = size
        self.opened = opened
        self.openUntil = openUntil
        self.expires = expires
    }
}

/// A revoked place that belongs to no session.
package struct StatusDecoy: Hashable, Sendable {
    package var index: Int
    /// From when on it is shown.
    package var since: Timestamp

    package init(index: Int, since: Timestamp) {
        self.index = index
        self.since = since
    }
}
