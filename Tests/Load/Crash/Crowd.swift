internal import Foundation
internal import IDaaSFlows
internal import LoginSupport

/// The users of all rounds. Numbers are new in each round; phones are not, so that their keys outlive many kills.
struct Crowd {
    private let count: Int
    private let tenant: Tenant
    private let binding: Tenant
    private let administration: AdministrationCommand
    private let phones: [Phone]

    /// Logs each phone in once, and gives its user a password.
    init(_ count: Int, _ tenant: Tenant, _ installation: Installation) async throws {
        self.count = count
        self.tenant = tenant
        binding = try await .binding(installation)
        administration = installation.administration
        var phones: [Phone] = []
        for number in stride(from: 0, to: count, by: 8) {
            let phone = Phone(mobile: Self.mobile(136, number), tenant, keys: installation.directory.appending(path: "keys-\(number)").path)
            try await phone.logIn()
            try administration.run("user", "set-password", phone.mobile, input: Phone.password)
            phones.append(phone)
        }
        self.phones = phones
    }

    /// Of eight users one has a phone as second factor, one registers through WeChat, one is bound through WeChat, one logs in with one
    /// click, and the others by SMS.
    func people(of round: Int) throws -> [any Person] {
        try (0..<count).map { number -> any Person in
            let (turn, ordinal) = (round + number / 8, round * count + number)
            switch number % 8 {
            case 0: return PhoneUser(phones[number / 8], last: PhoneUser.ends[turn % PhoneUser.ends.count], round: round, tenant)
            case 2: return OneClickUser(mobile: Self.mobile(135, ordinal), tenant)
            case 4: return WeChatUser(.register, mobile: Self.mobile(139, ordinal), last: Self.end(turn), tenant)
            case 6:
                let mobile = Self.mobile(138, ordinal)
                try administration.run("user", "add", "--mobile", mobile)
                return WeChatUser(.bind, mobile: mobile, last: Self.end(turn), binding)
            default: return SMSUser(mobile: Self.mobile(137, ordinal), tenant)
            }
        }
    }

    private static func end(_ turn: Int) -> WeChatUser.Step {
        let steps = WeChatUser.Step.allCases.dropFirst()
        return steps[1 + turn % steps.count]
    }

    private static func mobile(_ prefix: Int, _ number: Int) -> String { "+86-\(prefix)\(String(format: "%08d", number))" }
}
