package import JWTCore
internal import Synchronization

/// How far back a memory of uses knows of proofs. All deciders that share the memory share it.
package final class ProofHorizon: Sendable {
    private let longest = Atomic<Int64>(0)
    private let first = Atomic<Int64>(.min)

    package init() {}

    /// Seconds after `iat` for which the use of a proof is remembered: as long as any of the deciders takes a proof. Where one takes older
    /// proofs than another, a proof that the shorter one has forgotten would pass there a second time.
    var seconds: Int64 { longest.load(ordering: .relaxed) }

    /// - Parameter seconds: how long another decider takes a proof.
    func extend(to seconds: Int64) { longest.max(seconds, ordering: .relaxed) }

    /// Proofs from before this date may have been used when there was another memory, which is gone.
    var start: NumericDate { NumericDate(seconds: first.load(ordering: .relaxed)) }

    /// - Parameter start: when the memory was made.
    package func begin(at start: NumericDate) { first.store(start.seconds + (start.nanoseconds > 0 ? 1 : 0), ordering: .relaxed) }
}
