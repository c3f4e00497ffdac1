internal import JWTCore
package import ReplayMemory

/// Asks a memory about the uses of tokens, for decisions. Without a memory nothing is a first use.
package struct DecisionReplays: Sendable {
    package let memory: (any ReplayMemory)?
    /// The memory, if it answers at once.
    private let immediate: (any ImmediateReplayMemory)?
    let horizon: ProofHorizon

    /// - Parameters:
    ///   - memory: nil: nothing passes once.
    ///   - horizon: of the memory, if other deciders have the same memory.
    package init(_ memory: (any ReplayMemory)?, horizon: ProofHorizon = ProofHorizon()) {
        self.memory = memory
        self.horizon = horizon
        immediate = memory as? any ImmediateReplayMemory
    }

    /// Whether ``settleNow(_:_:now:)`` asks the memory.
    var answersAtOnce: Bool { memory == nil || immediate != nil }

    /// Answers the uses as ``settle(_:_:now:)`` does, without waiting: a memory that cannot do so is not available.
    func settleNow(_ uses: [TokenUse], _ answers: inout TokenUses, now: NumericDate) {
        for use in uses where !answers.isAnswered(use) {
            do throws(ReplayMemoryError) {
                guard let immediate else { throw ReplayMemoryError(.unavailable) }
                answers.answer(use, UseAnswer(try immediate.useNow(use.identifier, until: use.end, now: now)))
            } catch {
                answers.answer(use, UseAnswer(error))
            }
            guard answers.areFirst([use]) else { return }
        }
    }

    /// Answers the uses, one after the other. After one that is refused the others are not used up.
    func settle(_ uses: [TokenUse], _ answers: inout TokenUses, now: NumericDate) async {
        for use in uses where !answers.isAnswered(use) {
            do throws(ReplayMemoryError) {
                guard let memory else { throw ReplayMemoryError(.unavailable) }
                answers.answer(use, UseAnswer(try await memory.use(use.identifier, until: use.end, now: now)))
            } catch {
                answers.answer(use, UseAnswer(error))
            }
            guard answers.areFirst([use]) else { return }
        }
    }
}

extension UseAnswer {
    fileprivate init(_ use: ReplayUse) { self = use == .first ? .first : .refused(.replayed) }

    fileprivate init(_ error: ReplayMemoryError) {
        // A token whose end has come will never be admitted: its client needs another one.
        self = .refused(error.code == .ended ? .replayed : .replayMemoryUnavailable)
    }
}
