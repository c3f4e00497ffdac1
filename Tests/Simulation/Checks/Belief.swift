import JWKSCache
import JWTCore

/// The expected key set, computed independently from clarifications M22 to M29 and B8 and from the responses sent. The key cache must agree
/// after every step.
struct Belief {
    private let policy: RefreshPolicy
    private(set) var keys: Set<PublishedKey>?
    private(set) var confirmedAt: Duration = .zero
    private(set) var lifetime: Duration = .zero
    private(set) var applied: UInt64 = 0
    /// The number of changes.
    private(set) var number: UInt64 = 0
    private(set) var held: (keys: Set<PublishedKey>, sequence: UInt64)?
    private var stated: Duration?
    private var hint: Duration?
    private var serial: UInt64 = 0

    init(_ policy: RefreshPolicy) { self.policy = policy }

    enum Outcome {
        case installed, confirmed, overtaken, refused, held
    }

    var endsAt: Duration { confirmedAt + lifetime + policy.staleIfError }

    func isUsable(at now: Duration) -> Bool { keys != nil && now < endsAt }

    /// Drops a set that was not confirmed for too long.
    mutating func end(_ now: Duration) {
        guard keys != nil, now >= endsAt else { return }
        keys = nil
        number += 1
    }

    mutating func restore(_ release: KeyHistory.Release, age: Duration, lifetime: Duration, isBundle: Bool) {
        keys = Set(release.keys)
        confirmedAt = .zero - age
        self.lifetime = lifetime
        serial = isBundle ? release.serial : 0
        number += 1
    }

    /// Processes the response to `attempt`.
    mutating func take(_ attempt: Attempt) -> Outcome {
        let order = attempt.order
        guard order.sequence > applied else { return .overtaken }
        switch attempt.delivery.answer.meaning {
        case .nothing: return .refused
        case .same(let said):
            // It refers to the set that the request named.
            guard keys != nil, attempt.belief == number else { return .refused }
            // A bundle's own refresh hint overrides the HTTP lifetime.
            stated = hint ?? said.lifetime ?? stated
            confirm(order, lifetime: stated, said.age)
            return .confirmed
        case .set(let keys, let serial, let hint, let said):
            return take(Set(keys), serial, hint, order, lifetime: hint ?? said.lifetime, said.age)
        }
    }

    private mutating func take(
        _ new: Set<PublishedKey>, _ serial: UInt64?, _ hint: Duration?, _ order: FetchOrder, lifetime: Duration?, _ age: Duration
    ) -> Outcome {
        let isRevocation = new.isEmpty && policy.emptySet == .revokesAll
        guard new.contains(where: \.isUsable) || isRevocation else { return .refused }
        if let serial, serial < self.serial { return .refused }
        if let limit = policy.maximumChurn, let keys, churn(from: keys, to: new) > limit, held?.keys != new {
            if order.sequence > held?.sequence ?? 0 { held = (new, order.sequence) }
            return .held
        }
        self.serial = serial ?? self.serial
        self.hint = hint
        stated = lifetime
        confirm(order, lifetime: lifetime, age)
        guard new != keys else { return .confirmed }
        keys = new
        number += 1
        return .installed
    }

    private mutating func confirm(_ order: FetchOrder, lifetime: Duration?, _ age: Duration) {
        applied = order.sequence
        if order.sequence > held?.sequence ?? 0 { held = nil }
        confirmedAt = order.startedAt
        let bounds = policy.lifetimeBounds
        self.lifetime = min(max((lifetime ?? policy.defaultLifetime) - age, bounds.lowerBound), bounds.upperBound)
    }

    private func churn(from old: Set<PublishedKey>, to new: Set<PublishedKey>) -> Double {
        let usable = old.filter(\.isUsable)
        return usable.isEmpty ? 0 : Double(usable.subtracting(new).count) / Double(usable.count)
    }
}
