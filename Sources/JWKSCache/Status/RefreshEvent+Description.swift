extension RefreshEvent: CustomStringConvertible {
    /// The name of the key set and one sentence. Key ids are quoted, with control characters escaped.
    public var description: String { "\(source): \(kind)" }
}

extension RefreshEvent.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fetchStarted(let cause): "a fetch has begun (\(cause))"
        case .fetchFailed(let failure, let delay): "the fetch failed: \(failure); the next is due in \(delay.components.seconds) s"
        case .confirmed: "the keys are unchanged"
        case .installed(let change, let generation): "new keys, generation \(generation): \(change)"
        case .overtaken: "the response came after that of a later fetch, and is ignored"
        case .restored(let age): "a stored set is used, \(age.components.seconds) s old"
        case .storedSetRefused(let reason): "the stored set is refused: \(reason)"
        case .expired: "the keys were too old and are dropped; tokens are refused until new keys arrive"
        case .alarm(let alarm): "alarm: \(alarm)"
        }
    }
}

extension RefreshEvent.Alarm: CustomStringConvertible {
    public var description: String {
        switch self {
        case .privateKeyPublished(let keyID): "the publisher published the private key \(KeySetChange.name(keyID))"
        case .secretPublished(let keyID): "the publisher published the shared secret \(KeySetChange.name(keyID))"
        case .duplicateKeyID(let keyID): "several keys are called \(KeySetChange.name(keyID))"
        case .keyReplaced(let keyID): "the name \(KeySetChange.name(keyID)) now means another key"
        case .clockSkew(let skew): "the source's clock is \(skew.components.seconds) s ahead of this machine's"
        }
    }
}

extension KeySetChange: CustomStringConvertible {
    /// The names of the added and removed keys.
    public var description: String {
        let added = added.map(Self.name).joined(separator: " "), removed = removed.map(Self.name).joined(separator: " ")
        return "added \(added.isEmpty ? "none" : added), removed \(removed.isEmpty ? "none" : removed)"
    }

    /// A key id in quotes, cut to 64 scalars: a publisher chooses it, and it must not end the line of a log.
    static func name(_ keyID: String?) -> String {
        guard let keyID else { return "without a name" }
        var start = String.UnicodeScalarView()
        start.append(contentsOf: keyID.unicodeScalars.prefix(64))
        return String(reflecting: String(start))
    }
}
