#if IDaaS
internal import Foundation

/// All that the store has about a person, for that person to read. No secret is in it: not the hash of one either. (A test code is none:
/// it is of a number that nobody has.)
struct UserExport: Codable {
    struct Account: Codable {
        let id: String
        let mobile: String
        let name: String?
        let userName: String?
        let email: String?
        let testCode: String?
        let locked: Bool
        let created: String
        let lastLogin: String?
    }

    struct Login: Codable {
        let id: String
        let client: String
        let device: String
        let methods: [String]
        let authenticated: String
        let used: String
        let ended: String?
    }

    /// A code or captcha token.
    struct Proof: Codable {
        let purpose: String
        let client: String
        let created: String
        let expires: String
        let consumed: String?
        let failures: Int
    }

    struct Failures: Codable {
        let inRow: Int
        let locks: Int
        let lockedUntil: String?
        let updated: String
    }

    /// An SMS, or a wrong solution of a slider.
    struct Event: Codable {
        let event: String
        let time: String
    }

    let mobile: String
    /// Nil where nobody has logged in with the number.
    let user: Account?
    let sessions: [Login]
    let proofs: [Proof]
    let failures: Failures?
    let events: [Event]

    init(of mobile: String, _ user: User?, in store: any StoreReading) throws {
        self.mobile = mobile
        self.user = user.map(Account.init)
        sessions = try user.map { try store.sessions(of: $0.id) }?.map(Login.init) ?? []
        proofs = try store.singleUses(of: mobile).map {
            Proof(
                purpose: $0.purpose.rawValue, client: $0.client, created: $0.created.text, expires: $0.expires.text,
                consumed: $0.consumed?.text, failures: $0.failures)
        }
        failures = try store.failures(of: mobile).map {
            Failures(inRow: $0.count, locks: $0.locks, lockedUntil: $0.lockedUntil?.text, updated: $0.updated.text)
        }
        events = try store.events(of: mobile).map { Event(event: $0.scope.rawValue, time: $0.time.text) }
    }

    var isEmpty: Bool { user == nil && proofs.isEmpty && failures == nil && events.isEmpty }
}

extension UserExport.Account {
    init(_ user: User) {
        self.init(
            id: user.id, mobile: user.mobile, name: user.name, userName: user.userName, email: user.email, testCode: user.testCode,
            locked: user.isLocked, created: user.created.text, lastLogin: user.lastLogin?.text)
    }
}

extension UserExport.Login {
    init(_ session: Session) {
        self.init(
            id: session.id, client: session.client, device: session.deviceName, methods: session.methods,
            authenticated: session.authenticated.text, used: session.used.text, ended: session.ended?.text)
    }
}

extension Administration {
    /// All that is kept about a user, or about a number without one, as JSON.
    ///
    /// - Parameter reference: an id or a number.
    /// - Throws: ``AdministrationFailure/unknownUser``.
    package func exportUser(_ reference: String) async throws -> [UInt8] {
        let (find, number) = (finder(of: reference), number(of: reference))
        return try await store.read { store in
            let user = try find(store)
            guard let mobile = user?.mobile ?? number else { throw AdministrationFailure.unknownUser }
            let export = try UserExport(of: mobile, user, in: store)
            guard !export.isEmpty else { throw AdministrationFailure.unknownUser }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(export))
        }
    }
}

extension Timestamp {
    /// ISO 8601, UTC.
    fileprivate var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
#endif
