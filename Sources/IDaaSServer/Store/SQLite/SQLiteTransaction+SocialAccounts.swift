internal import GRDB

extension SQLiteTransaction {
    func user(of account: SocialAccount.Key) throws -> String? {
        try row(
            "SELECT user FROM social_accounts WHERE provider = ? AND scope = ? AND subject = ?",
            [account.provider, account.scope, account.subject]
        )?["user"]
    }

    func socialAccounts(of user: String) throws -> [SocialAccount] {
        try rows("SELECT * FROM social_accounts WHERE user = ? ORDER BY provider, scope, subject", [user]).map { row in
            SocialAccount(
                key: SocialAccount.Key(provider: row["provider"], scope: row["scope"], subject: row["subject"]), user: user,
                created: row.instant("created"))
        }
    }

    func insert(_ account: SocialAccount) throws -> Bool {
        try run(
            "INSERT OR IGNORE INTO social_accounts (provider, scope, subject, user, created) VALUES (?, ?, ?, ?, ?)",
            [account.key.provider, account.key.scope, account.key.subject, account.user, account.created.milliseconds]) > 0
    }
}
