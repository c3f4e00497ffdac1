internal import JWTCore

extension DecisionCore {
    /// Waits for the keys that a decision lacks, as ``decide(_:now:)`` does, and ends it.
    package func decide(_ pending: PendingDecision) async -> Decision {
        var awaited = Positions(), lacking = lacking(pending)
        while let (policy, provider) = lacking.first(without: awaited) {
            awaited.insert(provider)
            lacking = await wait(for: provider, of: policy, pending)
        }
        return decideNow(pending.facts, now: pending.now)
    }

    /// The providers without keys, and their policy.
    private struct Lacking {
        var policy = 0
        var providers = Positions()

        func first(without awaited: Positions) -> (policy: Int, provider: Int)? {
            for provider in providers where Positions(provider).intersection(awaited).isEmpty { return (policy, provider) }
            return nil
        }
    }

    private func lacking(_ pending: PendingDecision) -> Lacking {
        let copy = RequestMemory(pending.facts)
        var memory = DecisionMemory()
        do throws(Denial) {
            let request = try RoutedRequest(copy.view, decider.rules)
            let judgement = decider.judge(request, pending.now, &memory)
            return Lacking(policy: request.policy, providers: judgement.providersWithoutKeys(memory))
        } catch {
            return Lacking()
        }
    }

    /// Judges again each time that a fetch of the provider's keys ends, while they are missing.
    private func wait(for provider: Int, of policy: Int, _ pending: PendingDecision) async -> Lacking {
        var latest = Lacking()
        do throws(VerificationError) {
            try await decider.rules.policies[policy].providers[provider].keys.retrying { () throws(VerificationError) in
                latest = lacking(pending)
                guard latest.providers.intersection(Positions(provider)).isEmpty else { throw .keysUnavailable }
            }
        } catch {
            return latest
        }
        return latest
    }
}
