internal import IDaaSWire
internal import Secrets

/// The receivers of shared signals.
extension Administration {
    /// What a receiver is told of.
    package struct SignalChoice: Hashable, Sendable {
        package var revocations: Bool
        package var credentials: Bool

        package init(revocations: Bool = true, credentials: Bool = true) {
            self.revocations = revocations
            self.credentials = credentials
        }
    }

    /// Adds a receiver that the server pushes to (RFC 8935).
    ///
    /// - Parameters:
    ///   - audience: `aud` of its security event tokens.
    ///   - url: https, or http on loopback.
    ///   - secret: for `Authorization: Bearer`; stored sealed. Nil: the receiver wants none.
    /// - Throws: ``AdministrationFailure``; ``KeyFailure``.
    package func addPushedStream(
        name: String, audience: String, url: String, secret: String?, _ choice: SignalChoice = SignalChoice()
    ) async throws -> SignalStream {
        guard SignalPush.isAllowed(url) else { throw AdministrationFailure.invalidReceiver }
        let id = freshStreamID
        let sealed = try secret.map { try seal($0, of: id) }
        return try await addStream(id, name, audience, .push(url: url, sealedSecret: sealed), choice)
    }

    /// Adds a receiver that polls (RFC 8936).
    ///
    /// - Returns: the stream, and the receiver's bearer secret, which is not stored.
    /// - Throws: ``AdministrationFailure``.
    package func addPolledStream(
        name: String, audience: String, _ choice: SignalChoice = SignalChoice()
    ) async throws -> (stream: SignalStream, secret: String) {
        let secret = freshSecret
        return (try await addStream(freshStreamID, name, audience, .poll(secretDigest: Self.digest(secret)), choice), secret)
    }

    /// Every stream, by id.
    package func signalStreams() async throws -> [SignalStream] { try await store.read { try $0.signalStreams() } }

    /// Changes what a receiver is told of.
    ///
    /// - Throws: ``AdministrationFailure/unknownStream``.
    package func configureStream(_ id: String, _ choice: SignalChoice) async throws -> SignalStream {
        try await changeStream(id) { ($0.wantsRevocations, $0.wantsCredentials) = (choice.revocations, choice.credentials) }
    }

    /// Gives a stream another secret. The old one has no effect from then on.
    ///
    /// - Parameter secret: the receiver's, for a stream that the server pushes to.
    /// - Returns: the stream, and the new secret of a receiver that polls.
    /// - Throws: ``AdministrationFailure``; ``KeyFailure``.
    package func changeStreamSecret(_ id: String, to secret: String?) async throws -> (stream: SignalStream, secret: String?) {
        guard let stream = try await store.read({ try $0.signalStream(id) }) else { throw AdministrationFailure.unknownStream }
        switch stream.delivery {
        case .push(let url, _):
            guard let secret else { throw AdministrationFailure.invalidSecret }
            let sealed = try seal(secret, of: id)
            return (try await changeStream(id) { $0.delivery = .push(url: url, sealedSecret: sealed) }, nil)
        case .poll:
            let secret = freshSecret
            return (try await changeStream(id) { $0.delivery = .poll(secretDigest: Self.digest(secret)) }, secret)
        }
    }

    /// Removes a stream with the signals that wait for it.
    ///
    /// - Throws: ``AdministrationFailure/unknownStream``.
    package func removeStream(_ id: String) async throws {
        guard try await store.write({ try $0.removeSignalStream(id) }) else { throw AdministrationFailure.unknownStream }
    }

    /// Sends a verification event (SSF 1.0 section 8.1.4), by which an operator sees that a stream works.
    ///
    /// - Parameter state: nil generates one.
    /// - Returns: the state that the receiver will see.
    /// - Throws: ``AdministrationFailure``.
    package func verifyStream(_ id: String, state: String? = nil) async throws -> String {
        let state = state ?? randomness.token(characters: 22, alphabet: .base62)
        try Self.checkText(state)
        let signal = Signal(.verification(state: state), at: clock.now)
        try await store.write { store in
            guard try store.signalStream(id) != nil else { throw AdministrationFailure.unknownStream }
            try store.add(signal, to: id)
        }
        return state
    }

    private func addStream(
        _ id: String, _ name: String, _ audience: String, _ delivery: SignalStream.Delivery, _ choice: SignalChoice
    ) async throws -> SignalStream {
        try Self.checkText(name, audience)
        guard !audience.isEmpty else { throw AdministrationFailure.invalidText }
        var stream = SignalStream(id: id, name: name, audience: audience, delivery: delivery, created: clock.now)
        (stream.wantsRevocations, stream.wantsCredentials) = (choice.revocations, choice.credentials)
        try await store.write { [stream] store in
            guard try store.signalStreams().count < Self.mostStreams else { throw AdministrationFailure.tooManyStreams }
            try store.save(stream)
        }
        return stream
    }

    private func changeStream(_ id: String, _ change: @Sendable @escaping (inout SignalStream) -> Void) async throws -> SignalStream {
        try await store.write { store in
            guard var stream = try store.signalStream(id) else { throw AdministrationFailure.unknownStream }
            change(&stream)
            try store.save(stream)
            return stream
        }
    }

    /// Each end of a session adds a row for each stream.
    private static let mostStreams = 64

    private var freshStreamID: String { randomness.token(characters: 16, alphabet: .base62) }
    private var freshSecret: String { randomness.token(characters: 43, alphabet: .base62) }

    private static func digest(_ secret: String) -> [UInt8] { Digest256.of(Array(secret.utf8)) }

    /// A bearer secret has the characters of a b64token (RFC 6750 section 2.1).
    private func seal(_ secret: String, of stream: String) throws -> [UInt8] {
        guard (16...1_024).contains(secret.utf8.count), secret.wholeMatch(of: /[A-Za-z0-9._~+\/-]+=*/) != nil else {
            throw AdministrationFailure.invalidSecret
        }
        return try serverKey.seal(Array(secret.utf8), as: .signalSecret(stream: stream), randomness)
    }
}
