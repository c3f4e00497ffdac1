import HTTPGuard
import JWKSCache
import TLSTestSupport

/// The result of a fetch.
enum Outcome: Equatable, Sendable {
    case answer(Int, String)
    case failure(RequestFailure.Reason)
}

extension GuardedClient {
    func outcome(_ request: OutgoingRequest) async -> Outcome {
        do {
            let response = try await fetch(request)
            return .answer(response.status, String(decoding: response.body, as: UTF8.self))
        } catch {
            return .failure(error.reason)
        }
    }

    func outcome(_ url: String) async -> Outcome { await outcome(OutgoingRequest(document: url)) }
}

extension GuardedClient {
    /// Why a request fails; nil if it does not.
    func failure(_ request: OutgoingRequest) async -> RequestFailure.Reason? {
        do throws(RequestFailure) {
            _ = try await send(request)
            return nil
        } catch {
            return error.reason
        }
    }

    func failure(_ url: String) async -> RequestFailure.Reason? { await failure(OutgoingRequest(url: url)) }
}

extension RequestLimits {
    /// Longer than any response of a test takes, even on a busy machine.
    static let patient = RequestLimits(total: .seconds(120), connect: .seconds(120))
    /// For responses that never come.
    static let impatient = RequestLimits(total: .milliseconds(500), connect: .milliseconds(500))
}

extension GuardedClient.Configuration {
    /// For a server of the tests, without TLS.
    static let loopback = GuardedClient.Configuration(limits: .patient, allowsLoopbackHTTP: true)

    /// For a TLS server of the tests.
    static func trusting(_ authority: TestAuthority) -> Self { trusting(.only(authority.root)) }

    static func trusting(_ roots: TrustRoots) -> Self {
        Self(limits: .patient, addresses: AddressPolicy(allowsLoopback: true), trustRoots: roots)
    }
}
