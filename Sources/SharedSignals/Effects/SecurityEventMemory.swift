public import JWTCore
internal import Locks

/// Remembers the `jti` of tokens that were accepted, as long as the same token could be accepted again. One for each transmitter.
///
/// Its size is bounded. When it is full, tokens that are not in it are refused until one that is can be forgotten: forgetting too early
/// would let a token have its effect twice.
///
/// It keeps a digest of each name with a secret of its own, and not the name. A new process remembers nothing: the effect of a token that
/// comes again is the same as before.
public final class SecurityEventMemory: Sendable {
    /// 262,144: a mass revocation of 100,000 sessions, and what a day has beside it. About 16 MiB when full.
    public static let standardCapacity = 1 << 18

    public let capacity: Int
    private let state = Locked(State())

    private struct State {
        let secret = UInt64.random(in: 0 ... .max)
        var tokens: [Digest: Token] = [:]
        /// When expired tokens were last looked for. Each look reads all.
        var sweptAt: Int64?

        mutating func removeExpired(_ now: NumericDate) {
            sweptAt = now.seconds
            // A token under way stays its caller's.
            tokens = tokens.filter { $1.until >= now.seconds || !$1.isAccepted }
        }
    }

    private struct Digest: Hashable {
        let high: Int
        let low: Int

        /// Of 128 bits: a token that seems to be another one would lose its effect.
        init(_ name: String, secret: UInt64) {
            var hasher = Hasher()
            hasher.combine(secret)
            // A string's own hash is that of its normal form, and names are bytes.
            for byte in name.utf8 { hasher.combine(byte) }
            var second = hasher
            second.combine(UInt8(1))
            high = hasher.finalize()
            low = second.finalize()
        }
    }

    private struct Token {
        /// In seconds since 1970.
        let until: Int64
        var isAccepted = false
    }

    /// The answer to ``claim(_:until:now:)``.
    public enum Finding: Hashable, Sendable {
        /// The token is new, and the caller's: ``confirm(_:)`` or ``release(_:)`` must follow.
        case first
        /// The token was accepted before.
        case repeated
        /// Another call has claimed the token, and has not ended.
        case underWay
        /// Nothing can be remembered at present.
        case full
    }

    public init(capacity: Int = SecurityEventMemory.standardCapacity) { self.capacity = max(1, capacity) }

    /// Asks for the right to accept a token.
    ///
    /// - Parameters:
    ///   - name: its `jti`.
    ///   - until: when the token can no longer be accepted.
    ///   - now: what can no longer be accepted then gives its place, if the memory is full.
    public func claim(_ name: String, until: NumericDate, now: NumericDate) -> Finding {
        state.withLock { state in
            let digest = Digest(name, secret: state.secret)
            if let known = state.tokens[digest] { return known.isAccepted ? .repeated : .underWay }
            if state.tokens.count >= capacity {
                // At most one look a second: otherwise a full memory would read all of it for each token.
                if state.sweptAt != now.seconds { state.removeExpired(now) }
                guard state.tokens.count < capacity else { return .full }
            }
            state.tokens[digest] = Token(until: until.seconds)
            return .first
        }
    }

    /// Remembers that the token was accepted.
    public func confirm(_ name: String) {
        state.withLock { $0.tokens[Digest(name, secret: $0.secret)]?.isAccepted = true }
    }

    /// Forgets a token that was not accepted. It may come again.
    public func release(_ name: String) {
        state.withLock { state in
            let digest = Digest(name, secret: state.secret)
            if state.tokens[digest]?.isAccepted == false { state.tokens[digest] = nil }
        }
    }

    /// Forgets the tokens that can no longer be accepted.
    public func removeExpired(at now: NumericDate) { state.withLock { $0.removeExpired(now) } }

    /// The number of remembered tokens.
    public var count: Int { state.withLock(\.tokens.count) }
}
