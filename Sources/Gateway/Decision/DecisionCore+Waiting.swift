internal import JWKSCache
internal import JWTCore

extension DecisionCore {
    /// Waits for what a decision lacks, as ``decide(_:now:)`` does, and ends it.
    package func decide(_ pending: PendingDecision) async -> Decision {
        let copy = RequestMemory(pending.facts)
        var memory = DecisionMemory(), progress: DecisionProgress
        if let using = pending.using {
            memory = using.memory
            progress = .using(using.judgement, using.uses)
        } else {
            await settle(pending)
            progress = decider.begin(copy.view, now: pending.now, waits: false, &memory)
        }
        while case .using(let judgement, let uses) = progress {
            await replays.settle(uses, &memory.uses, now: pending.now)
            progress = decider.finish(judgement, uses, copy.view, now: pending.now, &memory)
        }
        guard case .decided(let verdict) = progress else { return .denied(Denial(.malformedRequest)) }
        return Decision(verdict, memory, decider.rules)
    }

    /// Waits for keys and status lists.
    private func settle(_ pending: PendingDecision) async {
        var awaited = Positions(), lacking = lacking(pending)
        while let (provider, keys) = lacking.first(without: awaited) {
            awaited.insert(provider)
            lacking = await wait(for: provider, keys, pending)
        }
        for status in awaitedStatuses(pending) { await status.settle() }
    }

    /// The providers without keys, and the keys of the issuers that their tokens name.
    private struct Lacking {
        var keys: [(provider: Int, keys: ProviderKeys)] = []

        func first(without awaited: Positions) -> (provider: Int, keys: ProviderKeys)? {
            keys.first { !awaited.contains($0.provider) }
        }
    }

    private func lacking(_ pending: PendingDecision) -> Lacking {
        let copy = RequestMemory(pending.facts)
        var memory = DecisionMemory(), lacking = Lacking()
        do throws(Denial) {
            let request = try RoutedRequest(copy.view, decider.rules), policy = decider.rules.policies[request.policy]
            for provider in decider.judge(request, pending.now, &memory).providersWithoutKeys(memory) {
                guard case .refused(let refusal) = memory.answers[provider] else { continue }
                lacking.keys.append((provider, policy.providers[provider].keys(ofIssuer: refusal.issuer)))
            }
        } catch {
            return lacking
        }
        return lacking
    }

    private func awaitedStatuses(_ pending: PendingDecision) -> [AwaitedStatus] {
        let copy = RequestMemory(pending.facts)
        var memory = DecisionMemory()
        do throws(Denial) {
            let request = try RoutedRequest(copy.view, decider.rules), judgement = decider.judge(request, pending.now, &memory)
            return judgement.mayChange(memory) ? memory.awaited : []
        } catch {
            return []
        }
    }

    /// Judges again each time that a fetch of the provider's keys ends, while they are missing.
    private func wait(for provider: Int, _ keys: ProviderKeys, _ pending: PendingDecision) async -> Lacking {
        var latest = Lacking()
        do throws(VerificationError) {
            try await keys.retrying { () throws(VerificationError) in
                latest = lacking(pending)
                guard !latest.keys.contains(where: { $0.provider == provider }) else { throw .keysUnavailable }
            }
        } catch {
            return latest
        }
        return latest
    }
}
