import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// Lists that a scripted host fetches, each verified by keys that it fetches too.
struct HostedLists {
    let host: TestHost
    let keys: HostedKeySet
    let lists: HostedStatusLists

    static let keysURL = "https://idp.example/jwks"

    /// - Parameter areKeysThere: whether the issuer's keys have come.
    init(_ policy: StatusListPolicy = .closedFirst, limits: StatusListLimits = StatusListLimits(), areKeysThere: Bool = true) throws {
        host = TestHost(start: 1_700_000_100)
        keys = HostedKeySet([.jwks(url: Self.keysURL)], policy: .availabilityFirst, host: host, seed: 1)
        let issuer = try StatusListIssuer(TestList.issuer, origins: ["https://status.example"], keys: keys)
        lists = HostedStatusLists([issuer], policy: policy, limits: limits, host: host, seed: 1)
        if areKeysThere { #expect(try supplyKeys() == .installed) }
    }

    /// Answers the request for keys that is due.
    func supplyKeys(_ set: String = #"{"keys":[\#(TestList.forge.jwk)]}"#) throws -> HostedRequest.Outcome {
        keys.receive(Self.response(set), to: try #require(keys.nextRequest()))
    }

    func ask(_ index: Int = 0, _ uri: String = TestList.uri) -> StatusVerdict {
        lists.verdict(index: index, uri: uri, issuer: TestList.issuer)
    }

    func finding(_ index: Int = 0, _ uri: String = TestList.uri) -> StatusFinding { ask(index, uri).finding }

    /// Answers the request that is due with a list.
    func supply(_ list: TestList = TestList(), fields: [HeaderField] = []) throws -> HostedRequest.Outcome {
        lists.receive(Self.response(list.token, fields: fields), to: try nextRequest())
    }

    /// Waits until there is a request.
    func nextRequest() throws -> HostedListRequest {
        for _ in 0..<1_000 {
            if let request = lists.nextRequest() { return request }
            host.advance(max(lists.nextDue, .milliseconds(1)))
        }
        return try #require(lists.nextRequest())
    }

    func status() throws -> StatusListStatus { try #require(lists.statuses.first) }

    static func response(
        _ body: String = "", status: Int = 200, fields: [HeaderField] = []
    ) -> Result<ReceivedResponse, RequestFailure> {
        .success(ReceivedResponse(status: status, fields: fields, body: Array(body.utf8)))
    }
}
