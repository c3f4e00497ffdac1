/// Something that happened to a remote key set. Every transition is one; nothing in it is secret.
public struct RefreshEvent: Sendable {
    /// The name of the key set: its issuer or its address.
    public let source: String
    public let kind: Kind

    package init(source: String, kind: Kind) {
        self.source = source
        self.kind = kind
    }

    public enum Kind: Sendable {
        /// A fetch has begun; why, in a word.
        case fetchStarted(cause: String)
        /// It brought nothing; the next is due after this.
        case fetchFailed(RefreshFailure, retryIn: Duration)
        /// It confirmed the set at hand, which goes on being believed.
        case confirmed
        /// It brought another set, which is believed from now on.
        case installed(KeySetChange, generation: UInt64)
        /// It was answered after a later one had been: not believed.
        case overtaken
        /// A set of an earlier process was found, this old.
        case restored(age: Duration)
        /// A stored set was found and is not believed.
        case storedSetRefused(String)
        /// The set at hand was confirmed too long ago: it is no longer believed, and there are no keys.
        case expired
        /// Something that somebody should look at.
        case alarm(Alarm)
    }

    public enum Alarm: Hashable, Sendable {
        /// The publisher published a private key. Only its public part is used.
        case privateKeyPublished(keyID: String?)
        /// A shared secret stands in a public document. It is not used.
        case secretPublished(keyID: String?)
        /// Several keys of one name and different material: each is tried.
        case duplicateKeyID(String)
        /// A name that meant one key now means another.
        case keyReplaced(keyID: String)
        /// The source's clock and this machine's are this far apart; tokens will soon be early or late.
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
