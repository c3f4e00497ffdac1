extension SQLTransaction {
    func user(_ id: String) throws -> User? { try row("SELECT * FROM users WHERE id = ?", [id]).map(User.init(row:)) }

    func user(mobile: String) throws -> User? { try row("SELECT * FROM users WHERE mobile = ?", [mobile]).map(User.init(row:)) }

    func users(named userName: String) throws -> [User] {
        try rows("SELECT * FROM users WHERE user_name = ? ORDER BY id LIMIT 2", [userName]).map(User.init(row:))
    }

    func users(after id: String?, limit: Int) throws -> [User] {
        try rows("SELECT * FROM users WHERE id > ? ORDER BY id LIMIT ?", [id ?? "", limit]).map(User.init(row:))
    }

    func save(_ user: User) throws {
        try run(
            """
            INSERT INTO users (id, mobile, name, user_name, email, test_code, password_hash, locked, created, last_login)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET mobile = excluded.mobile, name = excluded.name, user_name = excluded.user_name,
                email = excluded.email, test_code = excluded.test_code,
                password_hash = excluded.password_hash, locked = excluded.locked, last_login = excluded.last_login
            """,
            [
                user.id, user.mobile, user.name, user.userName, user.email, user.testCode, user.passwordHash, user.isLocked,
                user.created.milliseconds, user.lastLogin?.milliseconds,
            ])
    }

    func remove(_ user: User, at instant: Timestamp) throws {
        try end(SessionSelection(user: user.id), at: instant, by: .admin)
        try run("DELETE FROM users WHERE id = ?", [user.id])
        _ = try removeTraces(of: user.mobile)
    }

    func removeTraces(of mobile: String) throws -> Bool {
        var count = try self.count("DELETE FROM single_use WHERE subject = ? AND subject <> ''", [mobile])
        count += try self.count("DELETE FROM failures WHERE mobile = ?", [mobile])
        for scope in Limit.Scope.ofNumber {
            count += try self.count("DELETE FROM events WHERE scope = ? AND key = ?", [scope.rawValue, mobile])
        }
        return count > 0
    }
}

extension User {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            id: row("id"), mobile: row("mobile"), name: row("name"), userName: row("user_name"), email: row("email"),
            testCode: row("test_code"), passwordHash: row("password_hash"), isLocked: row("locked"), created: row("created"),
            lastLogin: row("last_login"))
    }
}
