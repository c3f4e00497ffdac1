package import JWTCore

/// The answer to a token whose key id the set lacks.
package enum UnknownKeyAnswer: Equatable, Sendable {
    /// The key does not exist.
    case unknownKey
    /// The key may exist soon: try again.
    case keysUnavailable
}

extension RefreshState {
    /// A token named a key that the set lacks: the answer, and the fetch that it causes, if one may be made now.
    package mutating func keyMissing(_ keyID: KeyIDHash, now: Duration) -> (answer: UnknownKeyAnswer, order: FetchOrder?) {
        // A cache may answer a scheduled fetch with a copy from before the key was made: that proves nothing, and earlier proof stays valid
        // while such a fetch is in progress. A failed probe leaves open what the source has now.
        if !(flight?.isForced ?? false), !probes.hasFailed, probes.isKnownMissing(keyID, now) {
            probes.wait(now)
            return (.unknownKey, nil)
        }
        if let flight {
            probes.wait(now)
            probes.remember(keyID, awaiting: flight.isForced ? flight.sequence : flight.sequence + 1, now)
            return (.keysUnavailable, nil)
        }
        if probes.take(now) {
            let order = begin(.probe, now, for: keyID)
            probes.remember(keyID, awaiting: order.sequence, now)
            return (.keysUnavailable, order)
        }
        let isRecent = freshness.map { now - $0.confirmedAt < policy.probeWindow } ?? false
        return (isRecent && !probes.hasFailed ? .unknownKey : .keysUnavailable, nil)
    }

    /// A token found no keys: a reason to fetch, within the same limit as an unknown key id. No reason if keys have arrived since.
    package mutating func keysWanted(now: Duration) -> FetchOrder? {
        guard !hasKeys(now) else { return nil }
        guard flight == nil else {
            probes.wait(now)
            return nil
        }
        return probes.take(now) ? begin(.probe, now) : nil
    }
}
