internal import HTTPEdge

/// Everything that the store has about a user, for that user to read. It contains no secret and no hash of a secret. (A test code is not
/// secret: its number has no owner.)
struct UserExport {
    let json: JSON
    let isEmpty: Bool

    /// - Parameter user: nil if no user has logged in with the number.
    init(of mobile: String, _ user: User?, in store: any StoreReading) throws {
        let proofs = try store.singleUses(of: mobile)
        let failures = try store.failures(of: mobile)
        let events = try store.events(of: mobile)
        let sessions = try user.map { try store.sessions(of: $0.id) } ?? []
        let accounts = try user.map { try store.socialAccounts(of: $0.id) } ?? []
        let phones = try user.map { try store.boundKeys(of: $0.id) } ?? []
        isEmpty = user == nil && proofs.isEmpty && failures.isEmpty && events.isEmpty
        json = .object(present: [
            ("mobile", .string(mobile)), ("user", user.map(\.export)), ("sessions", .array(sessions.map(\.export))),
            ("accounts", .array(accounts.map(\.export))), ("phones", .array(phones.map(\.export))),
            ("proofs", .array(proofs.map(\.export))), ("failures", .array(failures.map(\.export))),
            ("events", .array(events.map { ["event": .string($0.scope.rawValue), "time": $0.time.export] })),
        ])
    }
}

extension User {
    fileprivate var export: JSON {
        .object(present: [
            ("id", .string(id)), ("mobile", .string(mobile)), ("name", name.map(JSON.string)), ("userName", userName.map(JSON.string)),
            ("email", email.map(JSON.string)), ("testCode", testCode.map(JSON.string)), ("locked", .bool(isLocked)),
            ("created", created.export), ("lastLogin", lastLogin?.export),
        ])
    }
}

extension StoredSession {
    fileprivate var export: JSON {
        .object(present: [
            ("id", .string(id)), ("client", .string(client)), ("device", .string(deviceName)),
            ("methods", .array(methods.map(JSON.string))),
            ("authenticated", authenticated.export), ("used", used.export), ("ended", ended?.export),
            ("statusList", status.map { .string($0.list) }), ("statusIndex", status.map { JSON($0.index) }),
        ])
    }
}

extension SocialAccount {
    /// An account with another provider.
    fileprivate var export: JSON {
        [
            "provider": .string(key.provider), "scope": .string(key.scope), "subject": .string(key.subject), "created": created.export,
        ]
    }
}

extension BoundKey {
    /// A phone that confirms logins.
    fileprivate var export: JSON { ["client": .string(client), "device": .string(deviceName), "bound": bound.export] }
}

extension SingleUse {
    /// A code or captcha token.
    fileprivate var export: JSON {
        .object(present: [
            ("purpose", .string(purpose.rawValue)), ("client", .string(client)), ("created", created.export), ("expires", expires.export),
            ("consumed", consumed?.export), ("failures", JSON(failures)),
        ])
    }
}

extension LoginFailures {
    fileprivate var export: JSON {
        .object(present: [
            ("inRow", JSON(count)), ("locks", JSON(locks)), ("lockedUntil", lockedUntil?.export), ("updated", updated.export),
        ])
    }
}

extension Timestamp {
    fileprivate var export: JSON { .string(ISOTime.text(self)) }
}

extension Administration {
    /// All stored data about a user, or about a number without a user, as JSON.
    ///
    /// - Parameter reference: an id, a number or a user name.
    /// - Throws: ``AdministrationFailure/unknownUser``.
    package func exportUser(_ reference: String) async throws -> [UInt8] {
        let (find, number) = (finder(of: reference), number(of: reference))
        return try await store.read { store in
            let user = try find(store)
            guard let mobile = user?.mobile ?? number else { throw AdministrationFailure.unknownUser }
            let export = try UserExport(of: mobile, user, in: store)
            guard !export.isEmpty else { throw AdministrationFailure.unknownUser }
            return Array(export.json.indentedText.utf8.dropLast())
        }
    }
}
