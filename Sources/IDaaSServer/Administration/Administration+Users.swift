internal import IDaaSWire
internal import Secrets

extension Administration {
    /// Adds a user.
    ///
    /// - Parameter testCode: a fixed SMS code of six digits. A server in development accepts it for this number, without limits and without
    ///   a message.
    /// - Throws: COMMON.1001 and 1002 for an invalid number, ``AdministrationFailure``.
    package func addUser(
        mobile: String, name: String? = nil, userName: String? = nil, email: String? = nil, testCode: String? = nil
    ) async throws -> User {
        let number = try areaCodes.number(of: mobile)
        try Self.checkText(name, userName, email)
        if let testCode {
            guard testCode.utf8.count == 6, testCode.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw AdministrationFailure.invalidTestCode
            }
        }
        let user = User(
            id: randomness.token(characters: 24, alphabet: .base62), mobile: number.text, name: name, userName: userName, email: email,
            testCode: testCode, created: clock.now)
        try await store.write { store in
            guard try store.user(mobile: user.mobile) == nil else { throw AdministrationFailure.userExists }
            try store.save(user)
        }
        return user
    }

    /// At most `limit` users after `id`, sorted by id.
    package func users(after id: String? = nil, limit: Int = 1_000) async throws -> [User] {
        try await store.read { try $0.users(after: id, limit: limit) }
    }

    /// Locks a user: every session ends, and no code logs in, until ``unlockUser(_:)``.
    ///
    /// - Parameter reference: an id, a number or a user name.
    package func lockUser(_ reference: String) async throws {
        let now = clock.now
        try await change(reference) { user, store in
            user.isLocked = true
            try store.end(SessionSelection(user: user.id), at: now, by: .admin)
        }
    }

    /// Removes the lock of an administrator, and the device locks that wrong codes caused for this number, even if no user has logged in
    /// with the number yet.
    package func unlockUser(_ reference: String) async throws {
        let (find, number) = (finder(of: reference), number(of: reference))
        try await store.write { store in
            if var user = try find(store) {
                user.isLocked = false
                try store.save(user)
                for key in [user.mobile, PasswordName.key(of: user)] { try store.removeFailures(of: key) }
            } else {
                guard let number, try !store.failures(of: number).isEmpty else { throw AdministrationFailure.unknownUser }
                try store.removeFailures(of: number)
            }
        }
    }

    /// Sets a user's password, and ends every session that a password opened.
    ///
    /// - Throws: ``AdministrationFailure``; `IDAAS.SDK.PWD.1001` for less than 8 or more than 128 characters; PWD.1002, 1006 and 1008 for
    ///   one that is, reverses or contains the user's name or number.
    package func setPassword(of reference: String, to password: String) async throws {
        let find = finder(of: reference)
        guard let user = try await store.read({ try find($0) }) else { throw AdministrationFailure.unknownUser }
        try Self.checkPassword(password, of: user)
        guard
            let hash = try await environment.passwordWork.run({ [randomness, cost = environment.passwordCost] in
                PasswordHash(of: password, randomness: randomness, cost: cost)
            })
        else {
            throw KeyFailure.cryptography
        }
        let now = clock.now
        try await change(user.id) { user, store in
            if let name = user.userName, try store.users(named: name).count > 1 { throw AdministrationFailure.userNameTaken }
            let change: Signal.Change = user.passwordHash == nil ? .create : .update
            user.passwordHash = hash.text
            try store.add(Signal(.credentialChange(user: user.id, .password, change, by: .admin), at: now))
            try store.end(SessionSelection(user: user.id, method: "pwd"), at: now, by: .admin)
        }
    }

    private static func checkPassword(_ password: String, of user: User) throws {
        guard (8...128).contains(password.unicodeScalars.count) else { throw ServiceError(.passwordLength) }
        let typed = password.lowercased()
        let names = [user.userName, user.mobile.split(separator: "-").last.map(String.init)].compactMap { $0?.lowercased() }
        guard !names.contains(typed) else { throw ServiceError(.passwordIsUserName) }
        guard !names.contains(String(typed.reversed())) else { throw ServiceError(.passwordIsReversedUserName) }
        guard !names.contains(where: { $0.count >= 4 && typed.contains($0) }) else { throw ServiceError(.passwordContainsUser) }
    }

    /// Unbinds every phone of a user who lost it.
    package func unbindPhones(of reference: String) async throws {
        let now = clock.now
        try await change(reference) { user, store in
            for key in try store.boundKeys(of: user.id) {
                try store.removeBoundKey(of: user.id, with: key.client)
                try store.add(Signal(.credentialChange(user: user.id, .app, .delete, by: .admin), at: now))
                try store.cancelApprovals(of: user.id, with: key.client, at: now)
            }
        }
    }

    /// Removes a user with all sessions and records of the number, or only the records if the number has no user.
    package func deleteUser(_ reference: String) async throws {
        let (find, number) = (finder(of: reference), number(of: reference))
        try await store.write { [now = clock.now] store in
            if let user = try find(store) {
                try store.removeFailures(of: PasswordName.key(of: user))
                try store.remove(user, at: now)
            } else {
                guard let number, try store.removeTraces(of: number) else { throw AdministrationFailure.unknownUser }
            }
        }
    }

    /// The number of a reference, in the notation of the store's keys.
    func number(of reference: String) -> String? { areaCodes.number(exactly: reference)?.text }

    private func change(
        _ reference: String, _ body: @Sendable @escaping (inout User, any StoreWriting) throws -> Void
    ) async throws {
        let find = finder(of: reference)
        try await store.write { store in
            guard var user = try find(store) else { throw AdministrationFailure.unknownUser }
            try body(&user, store)
            try store.save(user)
        }
    }

    /// Finds a user as the login does, by number in any notation or by user name, or by id.
    ///
    /// - Throws: ``AdministrationFailure/ambiguousUser`` where several users have the name, or one has the name and another the id.
    func finder(of reference: String) -> @Sendable (any StoreReading) throws -> User? {
        let number = number(of: reference), reference = reference.trimmed
        return { store in
            if let number, let user = try store.user(mobile: number) { return user }
            let named = try store.users(named: reference), identified = try store.user(reference)
            let ids = Set(named.map(\.id) + [identified?.id].compactMap { $0 })
            guard ids.count <= 1 else { throw AdministrationFailure.ambiguousUser }
            return identified ?? named.first
        }
    }
}
