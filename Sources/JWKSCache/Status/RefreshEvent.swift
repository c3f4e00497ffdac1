/// An event of a remote key set. Every state change is one; events contain no secrets.
public struct RefreshEvent: Sendable {
    /// The name of the key set: its issuer or its address.
    public let source: String
    public let kind: Kind

    package init(source: String, kind: Kind) {
        self.source = source
        self.kind = kind
    }

    public enum Kind: Sendable {
        /// A fetch has begun; `cause` is a short reason.
        case fetchStarted(cause: String)
        /// It got nothing usable; the next is due after `retryIn`.
        case fetchFailed(RefreshFailure, retryIn: Duration)
        /// It confirmed the current set.
        case confirmed
        /// It got another set, which is accepted from now on.
        case installed(KeySetChange, generation: UInt64)
        /// Its response came after that of a later fetch, and is ignored.
        case overtaken
        /// A set stored by an earlier process was found; `age` is its age.
        case restored(age: Duration)
        /// A stored set was found and refused.
        case storedSetRefused(String)
        /// The current set was confirmed too long ago: it is dropped, and there are no keys.
        case expired
        /// An operator should look at this.
        case alarm(Alarm)
    }

    public enum Alarm: Hashable, Sendable {
        /// The publisher published a private key. Only its public part is used.
        case privateKeyPublished(keyID: String?)
        /// A public document contains a shared secret. It is not used.
        case secretPublished(keyID: String?)
        /// Several keys with one name and different material: each is tried.
        case duplicateKeyID(String)
        /// A name that meant one key now means another.
        case keyReplaced(keyID: String)
        /// The source's clock and this machine's differ by this; tokens will soon be too early or too late.
        case clockSkew(Duration)

        /// The stable name, for metrics and logs.
        public var code: String {
            switch self {
            case .privateKeyPublished: "private_key_published"
            case .secretPublished: "secret_published"
            case .duplicateKeyID: "duplicate_key_id"
            case .keyReplaced: "key_replaced"
            case .clockSkew: "clock_skew"
            }
        }
    }
}
