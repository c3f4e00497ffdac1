#if Gateway
internal import Gateway
internal import JWTCore
internal import Logging
internal import SharedSignals

/// What became of an event.
enum SignalReceipt: Sendable {
    /// It is in force and written down. So is one that was accepted before.
    case accepted(isNew: Bool)
    case refused(SignalRefusal)
    case delayed(SignalDelay)
}

/// Takes events: verifies them, writes down what they revoke, and only then accepts them.
final class SignalReceiver: Sendable {
    let streams: [SignalStream]
    let writer: RevocationWriter
    private let revocations: Revocations
    private let tokenLifetime: Duration
    private let date: any UnixClock
    private let logger: Logger

    init(
        streams: [SignalStream], revocations: Revocations, store: any RevocationStore, tokenLifetime: Duration, date: any UnixClock,
        logger: Logger
    ) {
        self.streams = streams
        self.revocations = revocations
        self.tokenLifetime = tokenLifetime
        self.date = date
        self.logger = logger
        writer = RevocationWriter(store: store, revocations: revocations, date: date, logger: logger)
    }

    /// Takes one event of a stream.
    func receive(_ token: [UInt8], from stream: SignalStream) async -> SignalReceipt { await receive(token, named: nil, from: stream) }

    /// Takes one event of an answer.
    ///
    /// - Parameter name: the `jti` that the answer gives the event; nil: any.
    func receive(_ token: [UInt8], named name: String?, from stream: SignalStream) async -> SignalReceipt {
        let now = date.now
        switch await stream.verified(token, at: now) {
        case .success(let token):
            guard name.map({ $0.utf8.elementsEqual(token.tokenID.utf8) }) ?? true else { return refuse(Self.wrongName, stream) }
            return await accept(token, from: stream, at: now)
        case .failure(let error) where error.isRetryable: return delay(.keysUnavailable, stream)
        case .failure(let error): return refuse(SignalRefusal(error), stream)
        }
    }

    private static let wrongName = SignalRefusal(
        .invalidRequest, name: "name_mismatch", "the name in `sets` is not the `jti` of the token")

    private func accept(_ token: VerifiedSecurityEventToken, from stream: SignalStream, at now: NumericDate) async -> SignalReceipt {
        switch stream.memory.claim(token.tokenID, until: stream.memoryEnd(of: token, at: now), now: now) {
        case .first: break
        case .repeated:
            stream.counts.repeated()
            logger.debug("an event comes again", metadata: ["stream": "\(stream.name)", "jti": "\(LoggedText.word(token.tokenID))"])
            return .accepted(isNew: false)
        case .underWay: return delay(.underWay, stream)
        case .full: return delay(.memoryFull, stream)
        }
        return await write(token, from: stream, at: now)
    }

    /// Accepts a token that the memory has as this call's.
    private func write(_ token: VerifiedSecurityEventToken, from stream: SignalStream, at now: NumericDate) async -> SignalReceipt {
        let effects = stream.terms.effects(of: token, at: now), entries = entries(of: effects, stream, at: now)
        let isWritten = entries.isEmpty ? true : await writer.write(entries)
        guard isWritten else {
            stream.memory.release(token.tokenID)
            return delay(.notWritten, stream)
        }
        stream.memory.confirm(token.tokenID)
        stream.counts.accepted(effects, at: now)
        tell(token, effects, stream)
        return .accepted(isNew: true)
    }

    /// The entries stay as long as the longest token that they could be about.
    private func entries(of effects: [EventEffect], _ stream: SignalStream, at now: NumericDate) -> [RevocationList.Entry] {
        let until = now.advanced(by: tokenLifetime), issuer = stream.terms.tokenIssuer
        return effects.flatMap { effect -> [RevocationList.Subject] in
            switch effect {
            case .revokes(.session(let name)): [.sessionID(name)]
            case .revokes(.sessions(let names)): names.map { .sessionID($0) }
            case .revokes(.subject(let name, let date)): [.subjectBefore(name, date)]
            case .notice, .ignored, .anotherIssuer, .unknownSubject: []
            }
        }.map { RevocationList.Entry(issuer: issuer, until: until, $0) }
    }

    /// Forgets what has expired.
    func removeExpired() {
        let now = date.now
        revocations.removeExpired(at: now)
        for stream in streams { stream.memory.removeExpired(at: now) }
    }

    /// The number of entries that events have made and that are in force.
    var entries: Int { revocations.signalledCount }
}

// MARK: Counts and log lines

extension SignalReceiver {
    func refuse(_ refusal: SignalRefusal, _ stream: SignalStream) -> SignalReceipt {
        stream.counts.refused(refusal)
        // Everybody who reaches the listener can leave the secret out.
        logger.log(
            level: refusal.code == .authenticationFailed ? .info : .warning, "an event is refused",
            metadata: ["stream": "\(stream.name)", "code": "\(refusal.name)", "err": "\(refusal.code.rawValue)"])
        return .refused(refusal)
    }

    func delay(_ delay: SignalDelay, _ stream: SignalStream) -> SignalReceipt {
        stream.counts.delayed(delay)
        logger.info("an event is put off", metadata: ["stream": "\(stream.name)", "code": "\(delay.rawValue)"])
        return .delayed(delay)
    }

    /// The line has no subject: that is personal data.
    private func tell(_ token: VerifiedSecurityEventToken, _ effects: [EventEffect], _ stream: SignalStream) {
        let metadata: Logger.Metadata = [
            "stream": "\(stream.name)", "jti": "\(LoggedText.word(token.tokenID))",
            "effects": "\(effects.map(\.name).joined(separator: " "))",
        ]
        let isIdle = effects.contains { $0 == .anotherIssuer || $0 == .unknownSubject }
        logger.log(level: isIdle ? .warning : .info, "an event is accepted", metadata: metadata)
        for case .streamUpdated(let status) in token.events {
            logger.warning(
                "the transmitter has changed the stream", metadata: ["stream": "\(stream.name)", "status": "\(LoggedText.word(status))"])
        }
    }
}
#endif
