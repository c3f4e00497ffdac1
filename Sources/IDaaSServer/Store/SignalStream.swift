/// A receiver of shared signals, and how it gets them.
package struct SignalStream: Hashable, Sendable {
    package var id: String
    package var name: String
    /// `aud` of its security event tokens.
    package var audience: String
    package var delivery: Delivery
    /// Whether it is told of sessions that ended.
    package var wantsRevocations = true
    /// Whether it is told of changed credentials.
    package var wantsCredentials = true
    package var created: Timestamp

    package enum Delivery: Hashable, Sendable {
        /// RFC 8935: the server posts to an https URL. The receiver's bearer secret is sealed under the server's key; nil: it wants none.
        case push(url: String, sealedSecret: [UInt8]?)
        /// RFC 8936: the receiver asks. SHA-256 of its bearer secret.
        case poll(secretDigest: [UInt8])
    }

    package init(id: String, name: String, audience: String, delivery: Delivery, created: Timestamp) {
        self.id = id
        self.name = name
        self.audience = audience
        self.delivery = delivery
        self.created = created
    }
}

/// Why a stream that the server pushes to is left alone for a while.
package struct SignalPause: Hashable, Sendable {
    /// The tries in a row of which none succeeded.
    package var failures: Int
    package var ends: Timestamp

    package init(failures: Int, ends: Timestamp) {
        self.failures = failures
        self.ends = ends
    }
}
