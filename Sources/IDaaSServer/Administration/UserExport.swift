#if IDaaS
internal import Foundation

/// All that the store has about a person, for that person to read. No secret is in it: not the hash of one either.
struct UserExport: Codable {
    struct Account: Codable {
        let id: String
        let mobile: String
        let name: String?
        let userName: String?
        let email: String?
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
        let lockedUntil: String?
        let updated: String
    }

    let user: Account
    let sessions: [Login]
    let proofs: [Proof]
    let failures: Failures?

    init(_ user: User, in store: any StoreReading) throws {
        self.user = Account(
            id: user.id, mobile: user.mobile, name: user.name, userName: user.userName, email: user.email, locked: user.isLocked,
            created: user.created.text, lastLogin: user.lastLogin?.text)
        sessions = try store.sessions(of: user.id).map {
            Login(
                id: $0.id, client: $0.client, device: $0.deviceName, methods: $0.methods, authenticated: $0.authenticated.text,
                used: $0.used.text, ended: $0.ended?.text)
        }
        proofs = try store.singleUses(of: user.mobile).map {
            Proof(
                purpose: $0.purpose.rawValue, client: $0.client, created: $0.created.text, expires: $0.expires.text,
                consumed: $0.consumed?.text, failures: $0.failures)
        }
        failures = try store.failures(of: user.mobile).map {
            Failures(inRow: $0.count, lockedUntil: $0.lockedUntil?.text, updated: $0.updated.text)
        }
    }
}

extension Administration {
    /// All that is kept about a user, as JSON.
    ///
    /// - Parameter reference: an id or a number.
    /// - Throws: ``AdministrationFailure/unknownUser``.
    package func exportUser(_ reference: String) async throws -> [UInt8] {
        let find = finder(of: reference)
        return try await store.read { store in
            guard let user = try find(store) else { throw AdministrationFailure.unknownUser }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(UserExport(user, in: store)))
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
