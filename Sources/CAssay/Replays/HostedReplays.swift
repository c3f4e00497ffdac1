internal import CAssayInterface
internal import Gateway
package import JWTCore
package import ReplayMemory
internal import Synchronization

/// A memory of uses as C holds it, for any number of gateways: a block of the host's, or one of its own, which the children of a fork
/// share.
package final class HostedReplays: Sendable {
    let horizon = ProofHorizon()
    private let counts = ReplayCounts()
    private let block = AtomicLazyReference<HostedBlock>()

    /// A memory without a block: it admits nothing.
    init() {}

    /// A memory with a block of its own.
    ///
    /// - Parameter entries: the live entries to have room for.
    /// - Throws: invalid_argument for a number out of range, and where memory is exhausted.
    convenience init(entries: UInt64) throws(InterfaceFailure) {
        self.init()
        guard let block = HostedBlock(entries: entries, now: SystemClock().now), place(block) else {
            throw InterfaceFailure(.invalidArgument)
        }
    }

    /// - Returns: false if it has a block already.
    func place(_ block: HostedBlock) -> Bool {
        guard self.block.storeIfNil(block) === block else { return false }
        horizon.begin(at: block.block.start)
        return true
    }

    /// Adds what metrics have of it.
    func append(to samples: inout SampleText, now: NumericDate) {
        counts.append(to: &samples, entries: block.load().map { ($0.block.count(now), $0.block.entries) })
    }
}

extension HostedReplays: ImmediateReplayMemory {
    package func useNow(
        _ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate
    ) throws(ReplayMemoryError) -> ReplayUse {
        do throws(ReplayMemoryError) {
            let use = try answer(identifier, end, now)
            counts.add(use)
            return use
        } catch {
            counts.add(error)
            throw error
        }
    }

    private func answer(_ identifier: ReplayIdentifier, _ end: NumericDate, _ now: NumericDate) throws(ReplayMemoryError) -> ReplayUse {
        guard let block = block.load()?.block else { throw ReplayMemoryError(.unavailable) }
        switch block.use(identifier, until: end, now: now) {
        case .first: return .first
        case .replayed: return .replayed
        case .full: throw ReplayMemoryError(.full)
        case .ended: throw ReplayMemoryError(.ended)
        }
    }
}
