#if IDaaS
internal import Secrets

extension Administration {
    /// A new user.
    ///
    /// - Parameter testCode: a fixed SMS code, six digits, which a server in development takes for this number, outside of all limits
    ///   and without a message.
    /// - Throws: COMMON.1001 and 1002 for a number that is none, ``AdministrationFailure``.
    package func addUser(
        mobile: String, name: String? = nil, userName: String? = nil, email: String? = nil, testCode: String? = nil
    ) async throws -> User {
        let number = try areaCodes.number(mobile)
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

    /// At most `limit` users by id, those behind `id`.
    package func users(after id: String? = nil, limit: Int = 1_000) async throws -> [User] {
        try await store.read { try $0.users(after: id, limit: limit) }
    }

    /// Locks a user out: every session ends, and no code gets through, until unlocked.
    ///
    /// - Parameter reference: an id or a number.
    package func lockUser(_ reference: String) async throws {
        let now = clock.now
        try await change(reference) { user, store in
            user.isLocked = true
            for var session in try store.sessions(of: user.id) { try session.end(at: now, in: store) }
        }
    }

    /// Lifts the lock of an administrator, and the one that wrong codes brought upon the number: also where nobody has logged in with
    /// that number yet.
    package func unlockUser(_ reference: String) async throws {
        let (find, number) = (finder(of: reference), number(of: reference))
        try await store.write { store in
            if var user = try find(store) {
                user.isLocked = false
                try store.save(user)
                try store.removeFailures(of: user.mobile)
            } else {
                guard let number, try store.failures(of: number) != nil else { throw AdministrationFailure.unknownUser }
                try store.removeFailures(of: number)
            }
        }
    }

    /// Removes a user, with the sessions and whatever is kept about the number; or that alone, of a number without a user.
    package func deleteUser(_ reference: String) async throws {
        let (find, number) = (finder(of: reference), number(of: reference))
        try await store.write { store in
            if let user = try find(store) {
                try store.remove(user)
            } else {
                guard let number, try store.removeTraces(of: number) else { throw AdministrationFailure.unknownUser }
            }
        }
    }

    /// A reference as a number, in the notation that everything is keyed by.
    func number(of reference: String) -> String? { (try? areaCodes.number(reference))?.text }

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

    /// Finds a user by id or, in any notation, by number.
    func finder(of reference: String) -> @Sendable (any StoreReading) throws -> User? {
        let number = number(of: reference)
        return { store in
            if let number, let user = try store.user(mobile: number) { return user }
            return try store.user(reference)
        }
    }
}
#endif
