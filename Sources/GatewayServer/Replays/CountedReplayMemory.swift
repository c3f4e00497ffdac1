#if Gateway
internal import Gateway
internal import JWTCore
internal import Logging
internal import ReplayMemory

/// A memory of uses whose answers are counted, and whose failures are in the log when they begin and when they end, once in a minute.
struct CountedReplayMemory<Memory: ReplayMemory>: ReplayMemory {
    let memory: Memory
    let counts: ReplayCounts
    let logger: Logger

    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) async throws(ReplayMemoryError) -> ReplayUse {
        do throws(ReplayMemoryError) {
            return count(try await memory.use(identifier, until: end, now: now), now)
        } catch {
            throw count(error, now)
        }
    }

    private func count(_ use: ReplayUse, _ now: NumericDate) -> ReplayUse {
        counts.add(use)
        if counts.isNews(isFailing: false, at: now) { logger.notice("the memory of uses answers again") }
        return use
    }

    private func count(_ error: ReplayMemoryError, _ now: NumericDate) -> ReplayMemoryError {
        counts.add(error)
        if error.code != .ended, counts.isNews(isFailing: true, at: now) {
            logger.error(
                "the memory of uses gives no answer: tokens that pass once are refused",
                metadata: ["code": "\(error.code.rawValue)", "detail": "\(error.detail)"])
        }
        return error
    }
}

extension CountedReplayMemory: ImmediateReplayMemory where Memory: ImmediateReplayMemory {
    func useNow(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) throws(ReplayMemoryError) -> ReplayUse {
        do throws(ReplayMemoryError) {
            return count(try memory.useNow(identifier, until: end, now: now), now)
        } catch {
            throw count(error, now)
        }
    }
}
#endif
