import FuzzInput
import JWKSCache
import JWTCore

/// The decisions about a SPIFFE bundle, without the network: what the C interface does not fetch, under limits that it does not set.
final class BundleHistory: History {
    private var core: KeySetCore
    private var now: Duration = .seconds(1_000)
    private var order: FetchOrder?
    private var generation: UInt64 = 0
    private var sequence: UInt64 = 0
    private static let url = "https://idp.example/bundle"
    private static let origin = FetchResult.Origin(sourceIndex: 0, format: .spiffeBundle, url: url)
    private static let date: Int64 = 1_700_000_100

    init(setting: UInt8) {
        var policy: RefreshPolicy = setting & 1 == 0 ? .availabilityFirst : .revocationFirst
        policy.emptySet = setting & 2 == 0 ? .failedRefresh : .revokesAll
        policy.maximumChurn = 0.25
        policy.negativeCapacity = 3
        core = KeySetCore(policy: policy, seed: UInt64(setting), now: now)
    }

    func apply(_ event: [UInt8]) {
        var reader = InputReader(event)
        switch reader.number(below: 8) {
        case 0: now += .seconds(Int64(reader.byte()))
        case 1: now += .seconds(Int64(reader.byte()) * 60)
        case 2: order = core.keysWanted(now: now) ?? order
        case 3: complete(.success(Answer(&reader).response))
        case 4:
            complete(
                .failure(
                    RequestFailure(RequestFailure.Reason.allCases[reader.number(below: RequestFailure.Reason.allCases.count)], "a detail")))
        case 5: order = core.requested(now: now) ?? order
        case 6: restore(&reader)
        default: order = core.keyMissing(KeyIDHash("key-\(reader.byte())"), now: now).order ?? order
        }
    }

    /// The end of the fetch that was ordered last. Its order stays, so that a late response may follow.
    private func complete(_ answer: Result<ReceivedResponse, RequestFailure>) {
        guard let order = order ?? core.requested(now: now) else { return }
        self.order = order
        let situation = core.situation(of: order), request = situation.request(for: Self.url, Self.origin)
        precondition(request.url == Self.url && request.entityTag?.utf8.isEmpty != true, "a request for something else")
        core.complete(order, situation.result(of: answer, to: request, Self.origin), now: now, date: NumericDate(seconds: Self.date))
    }

    /// The set of an earlier process, after this one has dropped its own. It begins the numbers of the bundle anew.
    private func restore(_ reader: inout InputReader) {
        core.unload()
        let age = Duration.seconds(Int64(reader.byte()) * 60 - 60)
        guard let document = try? KeyDocument(Array(reader.rest), .spiffeBundle, reusing: nil) else { return }
        core.restore(document, age: age, lifetime: .seconds(600), now: now)
        if core.keys != nil { sequence = 0 }
    }

    func check() {
        order = core.tick(now: now) ?? order
        precondition((core.keys == nil) == (core.state.freshness == nil), "keys without an end, or an end without keys")
        precondition(core.state.generation >= generation, "the generation went back")
        generation = core.state.generation
        precondition(core.state.nextTick >= .zero, "no fetch is ever due")
        checkDocument()
        for event in core.takeEvents() {
            let line = RefreshEvent(source: Self.url, kind: event).description
            precondition(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "an event is more than a line")
        }
        guard let failure = core.lastFailure else { return }
        ReachedCodes.note("refresh." + failure.code)
        if case .invalidDocument(let error) = failure { ReachedCodes.note(error) }
    }

    /// The accepted text has the accepted keys, and no lower number than one before it.
    private func checkDocument() {
        guard let keys = core.keys else { return }
        guard let document = try? KeyDocument(core.document, .spiffeBundle, reusing: nil) else {
            preconditionFailure("the accepted text is no bundle")
        }
        precondition(document.keys.hasSameKeys(as: keys), "the accepted text has other keys")
        precondition(document.sequence ?? .max >= sequence, "an older bundle replaced a newer one")
        sequence = document.sequence ?? sequence
        precondition(document.hasNoKeyForJWTs || document.hasUsableKey, "no usable key is left")
    }
}
