import IDaaSServer
import IDaaSTestSupport
import Secrets
import Testing

/// Logins by password, without sliders and messages, and with hashes that are quick: for tests of many sessions.
struct QuickLogins: Sendable {
    let domain: Domain
    let services: Services

    private static let password = "correct horse battery"

    /// - Parameters:
    ///   - first: a domain whose store this one shares.
    init(
        on first: Domain? = nil, lifetimes: Lifetimes = Lifetimes(), statusLists: (inout StatusListPolicy) -> Void = { _ in }
    ) async throws {
        domain = try await Domain(
            settings: { $0.password = true }, limits: .without(), lifetimes: lifetimes, statusLists: statusLists, in: first?.folder,
            clock: first?.clock ?? Domain.clock())
        var environment = domain.services.environment.value
        environment.passwordCost = .cheap
        environment.passwordWork = PasswordWork(threads: 2, longestQueue: 1_000)
        services = Services(environment)
    }

    /// Adds the users 0..<count.
    func addUsers(_ count: Int) async throws {
        for user in 0..<count {
            let id = try await services.administration.addUser(mobile: "1380000\(1_000 + user)", userName: "user-\(user)").id
            try await services.administration.setPassword(of: id, to: Self.password)
        }
    }

    func login(_ user: Int = 0, device: String = "D1") async throws -> Authentication {
        let answer = try await services.passwords.login(
            userName: "user-\(user)", password: Self.password, nonce: nil, for: domain.caller(device))
        guard case .loggedIn(let authentication) = answer else { throw Domain.Missing() }
        return authentication
    }
}
