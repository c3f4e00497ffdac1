import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing
import TokenStatus

/// A cache with a simulated clock and network. Its lists come from `https://status.example`.
final class ObservedLists: Sendable {
    let lists: StatusLists
    let clock = ManualClock()
    let transport = ScriptedTransport()

    init(
        _ policy: StatusListPolicy = .closedFirst, limits: StatusListLimits = StatusListLimits(),
        origins: [String] = ["https://status.example"], maximumBytes: Int = VerifiedStatusList.maximumBytes
    ) throws {
        let issuer = try StatusListIssuer(
            TestList.issuer, origins: origins, keys: TestList.forge.keySet, maximumBytes: maximumBytes)
        lists = StatusLists([issuer], policy: policy, limits: limits, transport: transport, clock: clock, seed: 1)
    }

    /// A cache that has fetched `list`.
    static func loaded(
        _ list: TestList = TestList(), _ policy: StatusListPolicy = .closedFirst, fields: [HeaderField] = []
    ) async throws -> ObservedLists {
        let observed = try ObservedLists(policy)
        observed.transport.answer(list.uri, list.token, fields: fields)
        _ = observed.ask(uri: list.uri)
        await observed.settle()
        return observed
    }

    func ask(_ index: Int = 0, uri: String = TestList.uri, issuer: String = TestList.issuer) -> StatusVerdict {
        lists.verdict(index: index, uri: uri, issuer: issuer)
    }

    func finding(_ index: Int = 0, uri: String = TestList.uri) -> StatusFinding { ask(index, uri: uri).finding }

    /// Lets the fetches in progress end.
    func settle() async { #expect(await settles { self.lists.statuses.allSatisfy { !$0.isFetching } }) }

    /// Moves the clock to the next scheduled fetch, and lets it end.
    func refresh() async throws {
        let before = transport.requests.count
        clock.advance(by: try #require(lists.statuses.first).nextFetchIn)
        #expect(await settles { self.transport.requests.count > before })
        await settle()
    }

    func status() throws -> StatusListStatus { try #require(lists.statuses.first) }
}
