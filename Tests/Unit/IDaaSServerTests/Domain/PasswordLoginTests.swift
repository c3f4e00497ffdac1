import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

/// What a stranger learns and spoils by password logins.
struct PasswordLoginTests {
    private static let password = "correct horse battery"

    /// Services on the store of a domain, whose hashes are quick.
    private static func services(_ domain: Domain, _ work: PasswordWork = PasswordWork()) throws -> Services {
        var environment = domain.services.environment.value
        environment.passwordCost = try #require(Scrypt(logCost: 4, blockSize: 8, parallelism: 1))
        environment.passwordWork = work
        return Services(environment)
    }

    private static func addUser(_ services: Services, _ mobile: String, _ name: String, password: String? = password) async throws {
        let user = try await services.administration.addUser(mobile: mobile, userName: name)
        if let password { try await services.administration.setPassword(of: user.id, to: password) }
    }

    private static func login(
        _ services: Services, _ name: String, password: String = "wrong", _ caller: Caller
    ) async throws -> ServiceError? {
        try await refusal { try await services.passwords.login(userName: name, password: password, nonce: nil, for: caller) }
    }

    /// What is answered and what is done for wrong passwords, until the lock.
    private struct Run: Hashable {
        var refusals: [ServiceError?] = []
        var statements: [[String]] = []
        var hashes = 0

        init(_ domain: Domain, _ name: String, _ caller: Caller) async throws {
            let work = PasswordWork()
            let services = try PasswordLoginTests.services(domain, work)
            _ = domain.statements.take()
            for _ in 0..<11 {
                refusals.append(try await PasswordLoginTests.login(services, name, caller))
                statements.append(domain.statements.take())
            }
            hashes = work.ended
        }
    }

    /// By user name and by number: with a password, locked, without a password, unknown.
    @Test(arguments: [["zhang", "li", "wu", "nobody"], ["13800000001", "13800000002", "13800000003", "13800000009"]])
    func knownAndUnknownNamesAreAnsweredAlikeByTheSameSteps(_ names: [String]) async throws {
        let domain = try await Domain(settings: { $0.password = true })
        let services = try Self.services(domain)
        try await Self.addUser(services, "13800000001", "zhang")
        try await Self.addUser(services, "13800000002", "li")
        try await services.administration.lockUser("13800000002")
        try await Self.addUser(services, "13800000003", "wu", password: nil)
        var runs: [Run] = []
        for (ordinal, name) in names.enumerated() {
            runs.append(try await Run(domain, name, domain.caller("D\(ordinal)", address: "192.0.2.\(ordinal)")))
        }
        #expect(Set(runs).count == 1)
        #expect(runs[0].hashes == 10 && runs[0].refusals.last??.code == .locked)
        #expect(runs[0].statements.allSatisfy { !$0.isEmpty })
    }

    /// A stranger fills the queue of hashes: an attempt that finds it full locks neither the device nor the name.
    @Test
    func anAttemptThatFoundTheQueueFullCountsNowhere() async throws {
        let limits = LimitSettings.without { $0.wrongPasswordsPerName = LimitSettings().wrongPasswordsPerName }
        let domain = try await Domain(settings: { $0.password = true }, limits: limits)
        let (free, full) = (try Self.services(domain), try Self.services(domain, PasswordWork(threads: 1, longestQueue: 0)))
        try await free.serve()
        try await Self.addUser(free, "13800000001", "zhang")
        let caller = domain.caller()
        for _ in 0..<60 { #expect(try await Self.login(full, "zhang", password: Self.password, caller)?.code == .rateLimited) }
        #expect(try await Self.login(free, "zhang", caller)?.remaining == 9)
        for remaining in stride(from: 8, through: 1, by: -1) {
            #expect(try await Self.login(full, "zhang", caller)?.code == .rateLimited)
            #expect(try await Self.login(free, "zhang", caller)?.remaining == remaining)
        }
        // The tenth locks, unless it was not tried.
        #expect(try await Self.login(full, "zhang", caller)?.code == .rateLimited)
        #expect(try await Self.login(free, "zhang", password: Self.password, caller) == nil)
        for _ in 0..<9 { _ = try await Self.login(free, "zhang", caller) }
        #expect(try await Self.login(free, "zhang", caller)?.code == .locked)
        #expect(try await Self.login(full, "zhang", caller)?.code == .locked)
    }
}
