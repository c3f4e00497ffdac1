internal import Secrets

/// The session tokens of one login. Each is derived from the family's key and its generation number. So the server can give a lost reply
/// again, even after a restart, without storing a token.
struct SessionFamily: Sendable {
    let key: [UInt8]

    init(key: [UInt8]) { self.key = key }

    init(_ randomness: Randomness) { key = randomness.bytes(32) }

    /// 32 characters, 190 bits.
    func token(_ generation: Int) -> String {
        let number = UInt64(generation)
        let message = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return Base62.encode(AuthenticationKey(key).code(for: message), characters: 32)
    }

    static func digest(of token: String) -> [UInt8] { Digest256.of(Array(token.utf8)) }
}

/// A session before its transaction: the part that can be made before the transaction decides.
struct SessionDraft: Sendable {
    let id: String
    let token: String
    private let sealedFamilyKey: [UInt8]
    private let places: StatusPlaces

    init(_ randomness: Randomness, _ serverKey: ServerKey, _ places: StatusPlaces) throws {
        self.places = places
        let family = SessionFamily(randomness)
        id = randomness.token(characters: 22, alphabet: .base62)
        token = family.token(0)
        sealedFamilyKey = try serverKey.seal(family.key, as: .family(session: id), randomness)
    }

    func open(
        for user: User, by methods: [String], _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> StoredSession {
        try save(
            StoredSession(
                id: id, user: user.id, client: caller.client.id, device: caller.device, deviceName: caller.deviceName, methods: methods,
                authenticated: now, used: now, sealedFamilyKey: sealedFamilyKey), at: now, in: store)
    }

    /// Opens a second session with a login: it is as old as the login, so that it does not live longer.
    func open(after login: StoredSession, device: [UInt8], at now: Timestamp, in store: any StoreWriting) throws -> StoredSession {
        try save(
            StoredSession(
                id: id, user: login.user, client: login.client, device: device, deviceName: login.deviceName, methods: login.methods,
                authenticated: login.authenticated, used: now, sealedFamilyKey: sealedFamilyKey), at: now, in: store)
    }

    private func save(_ session: StoredSession, at now: Timestamp, in store: any StoreWriting) throws -> StoredSession {
        var session = session
        try places.open(&session, at: now, in: store)
        try store.save(SessionToken(digest: SessionFamily.digest(of: token), session: id, generation: 0))
        return session
    }
}
