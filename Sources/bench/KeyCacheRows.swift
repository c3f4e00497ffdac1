import Dispatch
import Foundation
import JWKSCache
import JWTCore
import JWTSigning
import Locks

/// The cost that the key cache adds to a verification: a single lookup of the set, a lookup beside another reader, among a thousand
/// issuers, and while sets are replaced. The ratio divides the cost by that of the plain case.
struct KeyCacheRows {
    /// The samples of a run. Each times ``hits`` lookups, because a clock cannot resolve a single one.
    let samples: Int
    let runs: Int

    private static let hits = 256
    static let names = ["keys.lookup", "keys.issuers1000", "keys.threads2", "keys.refresh.p99"]

    func row(_ name: String) -> Row? {
        // A thousand sets take seconds to load, so only the row that routes among them loads them.
        guard let fixture = Fixture(issuers: name == "keys.issuers1000" ? 1_000 : 1), fixture.isReady else { return nil }
        switch name {
        case "keys.lookup": return lookup(name, fixture)
        case "keys.issuers1000": return issuers(name, fixture)
        case "keys.threads2": return threads(name, fixture)
        default: return refresh(name, fixture)
        }
    }

    private func lookup(_ name: String, _ fixture: Fixture) -> Row {
        row(name, nanoseconds: (0..<runs).map { _ in median(sample { fixture.lookUp() }) })
    }

    /// Routing among a thousand issuers, divided by routing among one: at most 1.2.
    private func issuers(_ name: String, _ fixture: Fixture) -> Row {
        var ratios: [Double] = [], times: [Double] = []
        for _ in 0..<runs {
            let one = median(sample { fixture.route(fixture.one) }), thousand = median(sample { fixture.route(fixture.all) })
            ratios.append(thousand / one)
            times.append(thousand)
        }
        return row(name, nanoseconds: times, ratios: ratios)
    }

    /// Lookups per second of two readers on two cores, divided by those of one (the mean of both alone): at least 1.9.
    private func threads(_ name: String, _ fixture: Fixture) -> Row? {
        guard Effort.cores >= 2 else { return nil }
        let crew = PinnedThreads([0, 1])
        var times: [Double] = [], ratios: [Double] = []
        for _ in 0..<runs {
            let alone = [0, 1].map { core in crew.run([core]) { _ in rate(fixture) }[0] }
            let together: Double = crew.run { _ in rate(fixture) }.reduce(0, +)
            times.append(1e9 / together)
            ratios.append(together * 2 / (alone[0] + alone[1]))
        }
        return row(name, nanoseconds: times, ratios: ratios)
    }

    private func rate(_ fixture: Fixture) -> Double { 1e9 / Stopwatch.time(samples * Self.hits, 0) { _ in fixture.lookUp() } }

    /// The 99th percentile of a reader while another core constantly replaces the set, divided by that beside an idle core: at most 1.1.
    private func refresh(_ name: String, _ fixture: Fixture) -> Row? {
        guard Effort.cores >= 2 else { return nil }
        let crew = PinnedThreads([0])
        let percentiles = (0..<runs).map { _ in
            let idle = crew.run { _ in percentile99(sample { fixture.lookUp() }) }[0]
            return (idle: idle, busy: fixture.exchangingWithoutPause { crew.run { _ in percentile99(sample { fixture.lookUp() }) }[0] })
        }
        return row(name, nanoseconds: percentiles.map(\.busy), ratios: percentiles.map { $0.busy / $0.idle })
    }

    // Samples

    /// The nanoseconds per operation in each sample.
    private func sample(_ operation: () -> Bool) -> [Double] {
        (0..<samples).map { _ in
            let start = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<Self.hits { precondition(operation(), "there were no keys: nothing was measured") }
            return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(Self.hits)
        }
    }

    private func median(_ values: [Double]) -> Double { Stopwatch.median(values) ?? 0 }
    private func percentile99(_ values: [Double]) -> Double { values.sorted()[values.count * 99 / 100] }

    /// The row of values that each run measured.
    private func row(_ name: String, nanoseconds: [Double], ratios: [Double] = []) -> Row {
        var row = Row(name, nanoseconds: median(nanoseconds), ratio: Stopwatch.median(ratios))
        row.nanosecondsP10 = Stopwatch.percentile10(nanoseconds)
        row.nanosecondsP90 = Stopwatch.percentile90(nanoseconds)
        row.ratioSpread = Spread(ratios)
        row.unit = "ns/lookup"
        return row
    }
}

/// Key sets whose documents come from memory and alternate, so that every fetch installs another set.
private final class Fixture: Sendable {
    let keys: RemoteKeySet
    let one: TrustedIssuers
    let all: TrustedIssuers
    private let issuer = "https://idp-0.example"

    init?(issuers: Int) {
        let keys = (0..<3).compactMap { SigningKey.generate(.es256, keyID: "key-\($0)")?.publicJWK }
        guard keys.count == 3 else { return nil }
        let transport = AlternatingTransport([[0, 1], [1, 2]].map { $0.map { keys[$0] } })
        self.keys = RemoteKeySet(.jwks(url: "https://idp-0.example/jwks"), transport: transport)
        let policy = ClaimsPolicy()
        let configurations = (0..<issuers).map { number in
            IssuerConfiguration("https://idp-\(number).example", source: .jwks(url: "https://idp-\(number).example/jwks"), policy: policy)
        }
        one = TrustedIssuers([configurations[0]], transport: transport)
        all = TrustedIssuers(configurations, transport: transport)
    }

    /// Waits for the first fetch.
    var isReady: Bool {
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = await keys.ready(within: .seconds(5))
            for set in one.keySets + all.keySets { await set.firstAttempt() }
            done.signal()
        }
        done.wait()
        return keys.isReady && route(one) && route(all)
    }

    // As a verification asks: with closures that return nothing.

    func lookUp() -> Bool {
        var isThere = false
        do throws(VerificationError) { try keys.withKeys { isThere = $0.keys.count == 2 } } catch { return false }
        return isThere
    }

    func route(_ issuers: TrustedIssuers) -> Bool {
        var isThere = false
        do throws(VerificationError) {
            try issuers.withRoute(JSONString(issuer.utf8.span, isEscaped: false)) { route throws(VerificationError) in
                try route.keys.withKeys { isThere = $0.keys.count == 2 }
            }
        } catch {
            return false
        }
        return isThere
    }

    /// Runs `body` while sets are installed one after another, and waits for the last.
    func exchangingWithoutPause<Result>(_ body: () -> Result) -> Result {
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let before = keys.generation ?? 0
        let task = Task {
            await keys.refresh()
            began.signal()
            while !Task.isCancelled { await keys.refresh() }
            ended.signal()
        }
        began.wait()
        let result = body()
        task.cancel()
        ended.wait()
        precondition(keys.generation ?? 0 > before + 1, "no set was exchanged: nothing was measured")
        return result
    }
}

/// Returns the two documents in turn.
private struct AlternatingTransport: DocumentTransport {
    private let documents: [[UInt8]]
    private let count = Locked(0)

    init(_ sets: [[String]]) { documents = sets.map { Array("{\"keys\":[\($0.joined(separator: ","))]}".utf8) } }

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let turn = count.withLock { count in
            count += 1
            return count
        }
        return ReceivedResponse(status: 200, body: documents[turn % documents.count])
    }
}
