public import JWTCore
internal import Locks

/// Nonces for DPoP proofs (RFC 9449 sections 8 and 9), without a memory of those that were given out: each is an HMAC of the time, so every
/// server with the secret knows it. A nonce changes with each ``period``, and the one before stays good, so a nonce is good for one to two
/// periods. It says that a proof is young, whatever clock its client has; that a proof passes once, `jti` says.
public final class ProofNonces: Sendable {
    /// How long one nonce is given out.
    public let period: Duration
    private let seconds: Int64
    private let secrets: [[UInt8]]
    private let label: [UInt8]
    /// Whether they end with this process.
    package let areOfProcess: Bool
    private let known = Locked(Known())

    /// Bytes of a secret, at least.
    public static let leastSecretBytes = 32

    /// - Parameters:
    ///   - secrets: one or two of at least 32 random bytes, the same for every server of the resource. The first makes nonces. A second
    ///     one, the one before, is still accepted, so that secrets can be replaced while servers run.
    ///   - label: of the resource. Nonces of one label are none of another.
    ///   - period: a whole number of seconds, from one second to a day.
    /// - Returns: nil for a secret that is too short, no secret or more than two, and a period out of range.
    public convenience init?(secrets: [[UInt8]], label: String, period: Duration = .seconds(300)) {
        self.init(secrets, label, period, areOfProcess: false)
    }

    private init?(_ secrets: [[UInt8]], _ label: String, _ period: Duration, areOfProcess: Bool) {
        guard (1...2).contains(secrets.count), secrets.allSatisfy({ $0.count >= Self.leastSecretBytes }) else { return nil }
        guard (1...86_400).contains(period.components.seconds), period.components.attoseconds == 0 else { return nil }
        self.secrets = secrets
        self.label = Array("assay dpop nonce".utf8) + [0] + Array(label.utf8) + [0]
        self.period = period
        seconds = period.components.seconds
        self.areOfProcess = areOfProcess
        ForkedLocks.add(known, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    /// Nonces under a random secret of this process. Another process, and this one after a restart, refuses them; its clients then get new
    /// ones, at the price of one more request.
    ///
    /// - Parameters:
    ///   - label: of the resource.
    ///   - period: a whole number of seconds, from one second to a day; five minutes for any other.
    /// - Returns: the nonces.
    public static func random(label: String, period: Duration = .seconds(300)) -> ProofNonces {
        let secrets = [secretOfProcess]
        if let nonces = ProofNonces(secrets, label, period, areOfProcess: true) { return nonces }
        guard let nonces = ProofNonces(secrets, label, .seconds(300), areOfProcess: true) else {
            fatalError("a secret of 32 bytes was refused")
        }
        return nonces
    }

    /// A new configuration of the same process gives the same nonces.
    private static let secretOfProcess = {
        var generator = SystemRandomNumberGenerator()
        return (0..<leastSecretBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }()

    /// The nonce to give out: 32 characters of base64url.
    ///
    /// - Parameter now: the server's date.
    public func current(at now: NumericDate) -> String { String(decoding: texts(at: now)[0], as: UTF8.self) }

    /// The nonce that the next proof needs, for a proof with another one (RFC 9449 section 8.2); nil for the current one.
    func successor(of nonce: Span<UInt8>, at now: NumericDate) -> String? {
        let current = texts(at: now)[0]
        return current.span.equalsInConstantTime(nonce) ? nil : String(decoding: current, as: UTF8.self)
    }

    /// Whether `nonce` is the current one, or the one before. The time that it takes tells nothing about how much of it is right.
    func accepts(_ nonce: Span<UInt8>, at now: NumericDate) -> Bool {
        var isGood = false
        for text in texts(at: now) { isGood = text.span.equalsInConstantTime(nonce) || isGood }
        return isGood
    }

    /// Of the last step that was asked for.
    private struct Known {
        var step: Int64?
        var texts: [[UInt8]] = []
    }

    /// Every good nonce, the current one first.
    private func texts(at now: NumericDate) -> [[UInt8]] {
        let step = Self.step(now.seconds, seconds)
        if let texts = known.withLock({ $0.step == step ? $0.texts : nil }) { return texts }
        // Not under the lock: a fork takes it after those of libcrypto.
        let texts = secrets.flatMap { [text(step, $0), text(step &- 1, $0)] }
        known.withLock { $0 = Known(step: step, texts: texts) }
        return texts
    }

    /// 192 bits of the HMAC: nobody without the secret finds a nonce by trying.
    private func text(_ step: Int64, _ secret: [UInt8]) -> [UInt8] {
        let message = label + (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let code = Digest.sha256.authentication(of: message.span, secret: secret.span)
        // An HMAC fails only when memory is exhausted. An empty text would be a nonce that everybody knows.
        guard code.count == 32 else { fatalError("no memory for HMAC") }
        return Base64URL.encode(code.prefix(24))
    }

    private static func step(_ now: Int64, _ period: Int64) -> Int64 { now / period - (now % period < 0 ? 1 : 0) }
}

extension ProofNonces: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The period. No secret and no nonce is in it.
    public var description: String { "ProofNonces(\(seconds) s)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
