import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Keys that a host fetches: what it is asked for, and which documents are read without it.
struct HostedKeySetTests {
    private static let first = "https://idp.example/jwks", second = "https://mirror.example/jwks"

    @Test
    func theHostIsAskedForTheSourcesInTheirOrder() throws {
        let hosted = Hosted([.jwks(url: Self.first), .jwks(url: Self.second)])
        #expect(hosted.verdict(0) == "keys_unavailable")
        let request = try #require(hosted.keys.nextRequest())
        #expect(request.document.url == Self.first)
        #expect(hosted.keys.receive(.failure(RequestFailure(.connection)), to: request) == .continues)
        let other = try #require(hosted.keys.nextRequest())
        #expect(other.document.url == Self.second)
        #expect(hosted.keys.receive(.success(Hosted.document(0)), to: other) == .installed)
        #expect(hosted.verdict(0) == "valid")
        #expect(hosted.keys.status.failures == 0)
    }

    @Test
    func aFetchThatTheHostGivesUpAsksNoOtherSource() throws {
        let hosted = Hosted([.jwks(url: Self.first), .jwks(url: Self.second)])
        let request = try #require(hosted.keys.nextRequest())
        #expect(hosted.keys.receive(.failure(RequestFailure(.cancelled)), to: request) == .failed)
        #expect(hosted.keys.nextRequest() == nil)
        #expect(hosted.keys.nextDue > .zero)
    }

    /// A forked child has no thread that could bring the answer to what the parent handed out.
    @Test
    func aFetchUnderWayBeginsAgainAndASecondAnswerToItDoesNothing() throws {
        let hosted = Hosted([.jwks(url: Self.first), .jwks(url: Self.second)])
        let lost = try #require(hosted.keys.nextRequest())
        #expect(hosted.keys.nextRequest() == nil)
        hosted.keys.beginAgain()
        #expect(hosted.keys.nextDue == .zero)
        let again = try #require(hosted.keys.nextRequest())
        #expect(again.document.url == Self.first)
        #expect(hosted.keys.receive(.success(Hosted.document(0)), to: again) == .installed)
        #expect(hosted.keys.receive(.success(Hosted.document(1)), to: lost) == .ended)
        #expect(hosted.verdict(0) == "valid")
        hosted.keys.beginAgain()
        #expect(hosted.keys.nextRequest() == nil)
    }

    @Test
    func aFileIsReadWithoutTheHostAndAgainAfterAChange() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/keys"
        try KeyPool.set(0).write(toFile: path, atomically: true, encoding: .utf8)
        let hosted = Hosted([.file(path)])
        #expect(hosted.keys.nextRequest() == nil)
        #expect(hosted.verdict(0) == "valid" && hosted.keys.isReady)
        #expect(hosted.keys.nextDue == .seconds(1))
        try KeyPool.set(1).write(toFile: path, atomically: true, encoding: .utf8)
        // At most one look in a second.
        #expect(hosted.keys.nextRequest() == nil)
        #expect(hosted.verdict(0) == "valid")
        hosted.host.advance(.seconds(1))
        #expect(hosted.keys.nextRequest() == nil)
        #expect(hosted.verdict(1) == "valid")
    }

    @Test
    func lazyKeysAskForNothingBeforeAToken() {
        let hosted = Hosted([.jwks(url: Self.first)], loading: .lazy)
        #expect(hosted.keys.nextRequest() == nil && hosted.keys.nextDue > .seconds(60))
        #expect(hosted.verdict(0) == "keys_unavailable")
        #expect(hosted.host.wakes == 1 && hosted.keys.nextDue == .zero)
        #expect(hosted.keys.nextRequest()?.document.url == Self.first)
    }

    @Test
    func aStoredSetServesTheNextProcess() throws {
        let folder = try TemporaryFolder(), storage = KeySetStorage(path: "\(folder.path)/keys")
        let before = Hosted([.jwks(url: Self.first)], storage: storage)
        let request = try #require(before.keys.nextRequest())
        #expect(before.keys.receive(.success(Hosted.document(0)), to: request) == .installed)
        let after = Hosted([.jwks(url: Self.first)], storage: storage)
        #expect(after.verdict(0) == "valid")
        let other = Hosted([.jwks(url: Self.second)], storage: storage)
        #expect(other.verdict(0) == "keys_unavailable")
    }

    /// They must not be used until their end without a look at the source.
    @Test
    func aStoredSetOfLazyKeysIsFetchedAgainWithItsFirstToken() throws {
        let folder = try TemporaryFolder(), storage = KeySetStorage(path: "\(folder.path)/keys")
        let before = Hosted([.jwks(url: Self.first)], storage: storage)
        let request = try #require(before.keys.nextRequest())
        #expect(before.keys.receive(.success(Hosted.document(0)), to: request) == .installed)
        let after = Hosted([.jwks(url: Self.first)], storage: storage, loading: .lazy)
        #expect(after.keys.nextRequest() == nil)
        #expect(after.verdict(0) == "valid" && after.host.wakes == 1)
        after.host.advance(.seconds(86_400))
        #expect(after.keys.nextRequest() != nil)
    }

    @Test
    func theHostIsReleasedWithTheKeys() {
        let host = TestHost()
        do { _ = HostedKeySet([.jwks(url: Self.first)], policy: .availabilityFirst, host: host, seed: 1) }
        #expect(host.releases == 1)
    }
}

/// Hosted keys with their host.
private struct Hosted {
    let host = TestHost()
    let keys: HostedKeySet

    init(_ sources: [KeySetSource], storage: KeySetStorage? = nil, loading: RemoteKeySet.Loading = .eager) {
        keys = HostedKeySet(sources, policy: .availabilityFirst, storage: storage, loading: loading, host: host, seed: 1)
    }

    func verdict(_ place: Int) -> String { TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(KeyPool.token(place)) }

    static func document(_ place: Int) -> ReceivedResponse {
        ReceivedResponse(status: 200, fields: [], body: Array(KeyPool.set(place).utf8))
    }
}
