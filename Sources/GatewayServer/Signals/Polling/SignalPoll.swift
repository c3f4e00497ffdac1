#if Gateway
internal import JWKSCache
internal import JWTCore
internal import Logging
internal import ServiceLifecycle

/// Asks one transmitter for events (RFC 8936), for as long as the service runs. An event is acknowledged in the question after the one that
/// brought it, once it is written down. A process that ends before gets it again.
struct SignalPoll: Service, CustomStringConvertible {
    let stream: SignalStream
    let poll: SignalSettings.Poll
    let receiver: SignalReceiver
    let clock: any ElapsedClock
    let logger: Logger
    /// For the jitter; different for every instance.
    var seed = UInt64.random(in: 0 ... .max)

    /// The service group logs this name instead of the whole value.
    var description: String { "signals of \(stream.name)" }

    /// For names, the connection and the body, beside what the transmitter may wait.
    private static let margin = Duration.seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var round = PollRound(most: poll.mostEvents), pace = PollPace(interval: poll.interval, seed: seed), isFailing = false
            while !Task.isCancelled {
                let wait: Duration
                do throws(PollFailure) {
                    wait = pace.wait(afterNews: try await ask(&round))
                    if isFailing { logger.notice("events are polled again", metadata: ["stream": "\(stream.name)"]) }
                    isFailing = false
                } catch {
                    guard !Task.isCancelled else { return }
                    if error.isTooLarge { round.askForFewer() }
                    wait = pace.wait(afterFailureAsking: error.retryAfter)
                    tell(error, wait, isFirst: !isFailing)
                    isFailing = true
                }
                if wait > .zero { await clock.sleep(until: clock.elapsed + wait) }
            }
        }
    }

    /// Asks once, and takes what the answer has.
    ///
    /// - Returns: whether to ask again at once.
    func ask(_ round: inout PollRound) async throws(PollFailure) -> Bool {
        let sent = round, question = sent.question(waits: poll.wait > .zero)
        let answer = try await self.answer(to: question)
        // The transmitter has what was sent.
        round = PollRound(most: poll.mostEvents)
        let receipts = await receive(answer.sets)
        var isNews = false
        for (name, receipt) in receipts {
            if case .accepted(true) = receipt { isNews = true }
            round.note(name, receipt)
        }
        // One that sends the same events for ever is not asked for ever without a pause.
        return isNews
    }

    private func answer(to question: PollQuestion) async throws(PollFailure) -> PollAnswer {
        var fields = [HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json")]
        if let secret = poll.secret {
            guard let token = secret.current else { throw PollFailure(.secretUnavailable) }
            fields.append(HeaderField("Authorization", "Bearer \(String(decoding: token, as: UTF8.self))"))
        }
        let limit = question.returnImmediately ? nil : poll.wait + Self.margin
        let body = (try? JSONTree(encoding: question))?.json ?? []
        let response: ReceivedResponse
        do throws(RequestFailure) {
            response = try await stream.transport.fetch(
                OutgoingRequest("POST", url: poll.url, fields: fields, body: body, timeLimit: limit))
        } catch {
            throw PollFailure(.request(error))
        }
        return try PollAnswer(response, most: question.maxEvents)
    }

    /// Events of one answer are written down together.
    private func receive(_ sets: [String: String]) async -> [(String, SignalReceipt)] {
        await withTaskGroup(of: (String, SignalReceipt).self) { group in
            for (name, token) in sets {
                group.addTask { (name, await receiver.receive(Array(token.utf8), named: name, from: stream)) }
            }
            var receipts: [(String, SignalReceipt)] = []
            for await receipt in group { receipts.append(receipt) }
            return receipts
        }
    }

    private func tell(_ failure: PollFailure, _ wait: Duration, isFirst: Bool) {
        stream.counts.failedPoll(failure.name)
        logger.log(
            level: isFirst ? .warning : .info, "events were not polled",
            metadata: ["stream": "\(stream.name)", "code": "\(failure.name)", "retry_seconds": "\(wait.components.seconds)"])
    }
}
#endif
