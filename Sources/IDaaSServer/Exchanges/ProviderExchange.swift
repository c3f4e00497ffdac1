internal import IDaaSWire
internal import Logging
internal import Secrets

/// Exchanges a code of another provider, once for all clients and devices.
///
/// One INSERT claims the code before the provider is asked. Within 30 s the same request of the same device gets the first outcome again,
/// without a second call, because transports repeat requests and the provider would report the code as used (sentences 17 and 24).
struct ProviderExchange<Answer: Sendable>: DomainService {
    let environment: SharedEnvironment
    let purpose: SingleUse.Purpose
    /// The refusal of a code that was used, or that the provider refuses.
    let usedBefore: ServiceError
    /// The refusal where the provider fails: LOGIN.1001 with its name.
    let failed: ServiceError
    private let flights = SharedWork<Key, ExchangeOutcome>()

    private struct Key: Hashable, Sendable {
        let code: [UInt8]
        let client: String
        let device: [UInt8]
    }

    private enum Claim: Sendable {
        case first(SingleUse)
        case repeated(ExchangeOutcome)
    }

    init(_ environment: SharedEnvironment, _ purpose: SingleUse.Purpose, usedBefore: ServiceError, failed: ServiceError) {
        self.environment = environment
        self.purpose = purpose
        self.usedBefore = usedBefore
        self.failed = failed
    }

    /// The outcome of `code`, the first or the repeated one.
    ///
    /// - Parameters:
    ///   - admit: a further check in the transaction that claims the code.
    ///   - ask: asks the provider.
    ///   - decide: turns the provider's answer into an outcome, in the transaction that records the outcome.
    func outcome(
        of code: String, for caller: Caller,
        admit: @Sendable @escaping (any StoreWriting, Timestamp) throws -> ServiceError? = { _, _ in nil },
        ask: @Sendable @escaping () async throws(UpstreamFailure) -> Answer,
        decide: @Sendable @escaping (Answer, any StoreWriting, Timestamp) throws -> ExchangeOutcome
    ) async throws -> ExchangeOutcome {
        let key = Key(code: Digest256.of(Array(code.utf8)), client: caller.client.id, device: caller.device)
        return try await flights.value(of: key) {
            switch try await claim(key.code, for: caller, admit) {
            case .repeated(let outcome): return outcome
            case .first(let record): return try await settle(record, caller, try await answer(to: record, caller, ask), decide)
            }
        }
    }

    private func claim(
        _ key: [UInt8], for caller: Caller, _ admit: @Sendable @escaping (any StoreWriting, Timestamp) throws -> ServiceError?
    ) async throws -> Claim {
        let now = clock.now
        let record = SingleUse(
            purpose: purpose, key: key, client: caller.client.id, device: caller.device, created: now, expires: now + Self.memory,
            consumed: now)
        let budget = limits.loginBudget(of: caller)
        return try await store.settle { store -> Result<Claim, ServiceError> in
            if let known = try store.singleUse(purpose, key), known.outcome != Self.released {
                return repetition(of: known, for: caller, at: now)
            }
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            if let refusal = try admit(store, now) { return .failure(refusal) }
            guard try store.insert(record) else {
                try store.save(record)
                return .success(.first(record))
            }
            return .success(.first(record))
        }
    }

    private func repetition(of known: SingleUse, for caller: Caller, at now: Timestamp) -> Result<Claim, ServiceError> {
        guard known.belongs(to: caller), let consumed = known.consumed, now < consumed + lifetimes.retry,
            let outcome = known.outcome.flatMap(ExchangeOutcome.init(text:))
        else { return .failure(usedBefore) }
        return .success(.repeated(outcome))
    }

    private func answer(
        to record: SingleUse, _ caller: Caller, _ ask: () async throws(UpstreamFailure) -> Answer
    ) async throws -> Result<Answer, ServiceError> {
        do {
            return .success(try await ask())
        } catch {
            environment.logger.warning(
                "another provider did not exchange a code",
                metadata: [
                    "request_id": "\(caller.requestID)", "client": "\(caller.client.id)", "kind": "\(purpose.rawValue)",
                    "code": "\(error.code)",
                ])
            if error.neverArrived {
                var free = record
                free.outcome = Self.released
                try await store.write { [free] in try $0.save(free) }
                throw failed
            }
            return .failure(error.reason == .refusedSecret ? usedBefore : failed)
        }
    }

    private func settle(
        _ record: SingleUse, _ caller: Caller, _ answer: Result<Answer, ServiceError>,
        _ decide: @Sendable @escaping (Answer, any StoreWriting, Timestamp) throws -> ExchangeOutcome
    ) async throws -> ExchangeOutcome {
        let now = clock.now
        return try await store.write { store in
            let outcome: ExchangeOutcome =
                switch answer {
                case .success(let answer): try decide(answer, store, now)
                case .failure(let refusal): .refused(refusal)
                }
            var settled = record
            settled.outcome = outcome.text
            try store.save(settled)
            return outcome
        }
    }

    /// How long a used code is remembered: longer than any provider's code lives.
    private static var memory: Duration { .seconds(3_600) }
    /// The outcome of a claim that was given back.
    private static var released: String { "released" }
}
