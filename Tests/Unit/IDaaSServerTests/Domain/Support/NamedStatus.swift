import IDaaSServer
import JWTCore
import TokenStatus

/// The place that an id_token names, as a program reads it that verifies the token.
struct NamedStatus: Hashable, Sendable {
    let uri: String
    let index: Int

    var list: String { String(uri.split(separator: "/").last ?? "") }

    struct Absent: Error {}

    /// - Throws: ``Absent`` for a token without the claim.
    init(_ idToken: String, _ services: Services) async throws {
        let moment = NumericDate(seconds: services.clock.now.seconds)
        let verifier = TokenVerifier(keys: try await services.keys.verification(), policy: ClaimsPolicy())
        self = try verifier.withVerified(idToken.utf8.span, now: moment) { claims throws in
            guard case .statusList(let reference) = try claims.status else { throw Absent() }
            return NamedStatus(uri: reference.uri.string, index: reference.index)
        }
    }

    private init(uri: String, index: Int) { (self.uri, self.index) = (uri, index) }

    /// The list, fetched and verified.
    func published(by services: Services) async throws -> VerifiedStatusList? {
        guard let document = try await services.statusLists.document(of: list) else { return nil }
        let verifier = StatusListVerifier(keys: try await services.keys.verification(), maximumBytes: 1 << 17)
        return try verifier.verify(document.token, uri: uri, now: NumericDate(seconds: services.clock.now.seconds))
    }

    /// 0 for a session that goes on, 1 for one that has ended; nil where there is no list.
    func status(by services: Services) async throws -> UInt8? { try await published(by: services)?.status(at: index) }
}
