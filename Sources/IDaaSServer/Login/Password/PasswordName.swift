internal import IDaaSWire
internal import Secrets

/// The name that a person types beside a password: a number or a user name.
struct PasswordName: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case number(MobileNumber)
        case userName(String)
    }

    private let kind: Kind

    init(_ text: String, _ areaCodes: AreaCodeList) {
        let text = text.trimmed
        kind = areaCodes.number(exactly: text).map(Kind.number) ?? .userName(text)
    }

    /// Counts wrong passwords for a user together, by whatever name.
    static func key(of user: User) -> String { key("user " + user.id) }

    /// Counts wrong passwords for this name if no user has it.
    var key: String {
        switch kind {
        case .number(let number): Self.key("number " + number.text)
        case .userName(let name): Self.key("name " + name)
        }
    }

    /// A digest: a person may type a password in the place of the name.
    private static func key(_ text: String) -> String { "password " + Digest256.of(Array(text.utf8)).hexadecimal }

    func user(in store: any StoreReading) throws -> User? {
        switch kind {
        case .number(let number): return try store.user(mobile: number.text)
        case .userName(let name):
            let users = try store.users(named: name)
            return users.count == 1 ? users[0] : nil
        }
    }
}
