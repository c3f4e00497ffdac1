extension SQLTransaction {
    func user(of account: SocialAccount.Key) throws -> String? {
        try row(
            "SELECT user_id FROM social_accounts WHERE provider = ? AND scope = ? AND subject = ?",
            [account.provider, account.scope, account.subject]
        ).map { try $0("user_id") }
    }

    func socialAccounts(of user: String) throws -> [SocialAccount] {
        try rows("SELECT * FROM social_accounts WHERE user_id = ? ORDER BY provider, scope, subject", [user]).map { row in
            try SocialAccount(
                key: SocialAccount.Key(provider: row("provider"), scope: row("scope"), subject: row("subject")), user: user,
                created: row("created"))
        }
    }

    func insert(_ account: SocialAccount) throws -> Bool {
        try count(
            """
            INSERT INTO social_accounts (provider, scope, subject, user_id, created) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [account.key.provider, account.key.scope, account.key.subject, account.user, account.created.milliseconds]) > 0
    }
}
