internal import JWTCore

extension RemoteKeySet {
    func record(_ core: KeySetCore, _ now: Duration) -> KeySetStorage.Record? {
        // A record has no format: it is read in the first source's.
        guard storage != nil, let freshness = core.state.freshness, core.validators?.origin.format == reader.sources[0].format else {
            return nil
        }
        let age = now - freshness.confirmedAt, lifetime = freshness.expiresAt - freshness.confirmedAt
        return KeySetStorage.Record(
            source: name, fetchedAt: clock.date.seconds - age.components.seconds, lifetime: lifetime.components.seconds,
            document: core.document)
    }

    func restore() {
        switch storage?.read(source: name) {
        case .record(let record):
            guard let document = try? KeyDocument(record.document, reader.sources[0].format, reusing: nil) else {
                return emit(.storedSetRefused("its document is no key set"))
            }
            // A stored date may be any number: as durations, the difference cannot overflow.
            let age = Duration.seconds(clock.date.seconds) - .seconds(record.fetchedAt)
            transact { shared, now in
                shared.core.restore(document, age: age, lifetime: .seconds(record.lifetime), now: now)
                return ((), nil)
            }
        case .refused(let reason): emit(.storedSetRefused(reason))
        case .nothing, nil: return
        }
    }
}
