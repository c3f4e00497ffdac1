internal import JWTCore

extension KeySetCore {
    /// What is stored of the accepted set. Nil without one, and for one in another format than the source's: a record has no format, and is
    /// read in that one.
    func record(of source: KeySetSource, now: Duration, date: NumericDate) -> KeySetStorage.Record? {
        guard let freshness = state.freshness, validators?.origin.format == source.format else { return nil }
        let age = now - freshness.confirmedAt, lifetime = freshness.expiresAt - freshness.confirmedAt
        return KeySetStorage.Record(
            source: source.name, fetchedAt: date.seconds - age.components.seconds, lifetime: lifetime.components.seconds,
            document: document)
    }

    /// Accepts the set that an earlier process has stored, if it is acceptable.
    mutating func restore(from storage: KeySetStorage, of source: KeySetSource, now: Duration, date: NumericDate) {
        switch storage.read(source: source.name) {
        case .record(let record):
            guard let document = try? KeyDocument(record.document, source.format, reusing: nil) else {
                return refuseStored("its document is no key set")
            }
            // A stored date may be any number: as durations, the difference cannot overflow.
            let age = Duration.seconds(date.seconds) - .seconds(record.fetchedAt)
            restore(document, age: age, lifetime: .seconds(record.lifetime), now: now)
        case .refused(let reason): refuseStored(reason)
        case .nothing: return
        }
    }
}
