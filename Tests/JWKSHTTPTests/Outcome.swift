#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP

/// What comes of a fetch.
enum Outcome: Equatable, Sendable {
    case answer(Int, String)
    case failure(FetchFailure.Reason)
}

extension HTTPTransport {
    func outcome(_ request: DocumentRequest) async -> Outcome {
        do {
            let response = try await fetch(request)
            return .answer(response.status, String(decoding: response.body, as: UTF8.self))
        } catch {
            return .failure(error.reason)
        }
    }

    func outcome(_ url: String) async -> Outcome { await outcome(DocumentRequest(url: url)) }
}

extension RequestLimits {
    /// More than any answer of a test needs, on a busy machine.
    static let patient = RequestLimits(total: .seconds(20), connect: .seconds(20))
    /// For answers that never come.
    static let impatient = RequestLimits(total: .milliseconds(500), connect: .milliseconds(500))
}

extension GuardedClient.Configuration {
    /// For a server of the tests' own, without TLS.
    static let loopback = GuardedClient.Configuration(limits: .patient, allowsLoopbackHTTP: true)

    /// For a TLS server of the tests' own.
    static func trusting(_ authority: TestAuthority) -> Self {
        Self(limits: .patient, addresses: AddressPolicy(allowsLoopback: true), trustRoots: .only(authority.root))
    }
}
#endif
