import AssayTesting
import Foundation
import Gateway
import JWKSCache
import JWTCore

/// A core with a policy of every kind, by the first segment of the path.
enum Core {
    static let policies = ["open", "both", "either", "scoped"]

    /// The rules that `check` judges.
    static func judged() throws -> DecisionCore {
        try loaded(DecisionCore(Rules.judged, transport: NoTransport(), cache: VerifiedTokenCache(budget: 1 << 20)))
    }

    /// The same core with another configuration: every way to read a path, and every form of a claim for the upstream.
    static func lenient(_ core: DecisionCore) throws -> DecisionCore { try loaded(core.replacing(Rules.lenient)) }

    /// Every token is revoked, by its date.
    static func revoking() throws -> DecisionCore {
        let list = RevocationList([.init(.issuedBefore(NumericDate(seconds: Samples.now)))])
        return try loaded(
            DecisionCore(
                Rules.judged, transport: NoTransport(), revocations: Revocations(list), cache: VerifiedTokenCache(budget: 1 << 20)))
    }

    /// Every token is revoked, by a name in it, or has more claims than the limits allow. Without a cache.
    static func revokingNames() throws -> DecisionCore {
        let core = try loaded(DecisionCore(Rules.narrow, transport: NoTransport()))
        core.revocations.replace(
            RevocationList([
                .init(issuer: "https://b.example", .subject("s")), .init(issuer: "https://b.example", .keyID("c")), .init(.tokenID("none")),
                .init(issuer: "https://c.example", .subject("s")), .init(.sessionID("none")),
            ]))
        precondition(core.revocations.list.entries.count == 5, "another list")
        return core
    }

    /// The issuer does not answer, so there are no keys.
    static func waiting() throws -> DecisionCore {
        try DecisionCore(Rules.waiting, transport: NoTransport(), clock: ManualClock(), date: ManualClock(date: Samples.now))
    }

    private static func loaded(_ core: DecisionCore) -> DecisionCore {
        while !core.issuers.isReady { usleep(1_000) }
        return core
    }
}

/// Inline keys need no network.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { throw RequestFailure(.connection) }
}
