internal import JWTCore
internal import Synchronization

/// Counts decisions by policy, outcome and code. Counting takes no lock.
public final class DecisionCounters: Sendable {
    private let policies: LentObjects<PolicyCounts>
    /// The requests that no policy decided.
    private let unrouted: PolicyCounts

    public enum Outcome: String, Sendable, CaseIterable {
        case allowed
        case denied
        /// Refused by dry run or by a requirement of `allowFailed`, and allowed.
        case waived
        /// What a shadow policy would have decided.
        case shadowAllowed = "shadow_allowed"
        case shadowDenied = "shadow_denied"
    }

    /// A number of decisions.
    public struct Count: Hashable, Sendable {
        /// Nil for requests that no policy decided.
        public let policy: String?
        public let outcome: Outcome
        /// The code of the refusal; nil if there was none.
        public let code: String?
        public let count: UInt64
    }

    /// - Parameter old: policies with the same names continue to count there.
    init(policies names: [String], keeping old: DecisionCounters?) {
        let known = Dictionary((old?.policies.all ?? []).map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        policies = LentObjects(names.map { known[$0] ?? PolicyCounts($0) })
        unrouted = old?.unrouted ?? PolicyCounts(nil)
    }

    /// Every count that is not zero, by policy in the order of the configuration.
    public var counts: [Count] { ([unrouted] + policies.all).flatMap(\.counts) }

    func count(_ policy: Int?, _ outcome: Outcome, _ reason: DenialReason?) {
        guard let policy else { return unrouted.add(outcome, reason) }
        policies.lend(policy) { $0.add(outcome, reason) }
    }
}

/// The counts of one policy: a row for each outcome, a column for each code.
@safe
private final class PolicyCounts: @unchecked Sendable {
    let name: String?
    // SAFETY: allocated and initialised in init, freed in deinit; every access is atomic and within ``places``.
    private let memory: UnsafeMutablePointer<Atomic<UInt64>>

    private static let columns = DecisionCode.all.count + 1
    private static let places = DecisionCounters.Outcome.allCases.count * columns

    init(_ name: String?) {
        self.name = name
        unsafe memory = .allocate(capacity: Self.places)
        for place in 0..<Self.places { unsafe (memory + place).initialize(to: Atomic(0)) }
    }

    deinit { unsafe memory.deallocate() }

    func add(_ outcome: DecisionCounters.Outcome, _ reason: DenialReason?) {
        let place = Self.row(outcome) * Self.columns + (reason.map { DecisionCode.position(of: $0) + 1 } ?? 0)
        unsafe memory[place].wrappingAdd(1, ordering: .relaxed)
    }

    var counts: [DecisionCounters.Count] {
        DecisionCounters.Outcome.allCases.flatMap { outcome in
            (0..<Self.columns).compactMap { column in
                let count = unsafe memory[Self.row(outcome) * Self.columns + column].load(ordering: .relaxed)
                guard count > 0 else { return nil }
                let code = column == 0 ? nil : DecisionCode.all[column - 1]
                return DecisionCounters.Count(policy: name, outcome: outcome, code: code, count: count)
            }
        }
    }

    private static func row(_ outcome: DecisionCounters.Outcome) -> Int {
        switch outcome {
        case .allowed: 0
        case .denied: 1
        case .waived: 2
        case .shadowAllowed: 3
        case .shadowDenied: 4
        }
    }
}

/// Every code of a refusal, once, in a fixed order.
enum DecisionCode {
    static let all = ownCodes + VerificationError.Code.all.map(\.name).filter { !ownCodes.contains($0) }

    static func position(of reason: DenialReason) -> Int {
        if case .token(let error) = reason { return Int(positions[Int(error.code.number)]) }
        return own.firstIndex(of: reason) ?? 0
    }

    private static let own: [DenialReason] = [
        .missingToken, .severalTokens, .insufficientScope, .revoked, .noRoute, .ambiguousPath, .ambiguousField, .claimsTooLarge,
        .malformedRequest, .unhandledField, .claimMismatch, .noPolicy, .suspended, .statusUnavailable, .replayed,
        .replayMemoryUnavailable,
    ]
    private static let ownCodes = own.map(\.code)

    /// By the number of the code.
    private static let positions: [UInt8] = {
        let codes = VerificationError.Code.all
        var positions = [UInt8](repeating: 0, count: Int(codes.map(\.number).max() ?? 0) + 1)
        for code in codes { positions[Int(code.number)] = UInt8(clamping: all.firstIndex(of: code.name) ?? 0) }
        return positions
    }()
}
