import Foundation
import JWKSCache
import JWTCore

/// Stays with a key set and tells what becomes of it, a line for each event.
struct KeyWatch {
    private let place: String
    private let isForced: Bool
    private let terminal = Terminal.output

    init(_ place: String, isForced: Bool) {
        self.place = place
        self.isForced = isForced
    }

    /// Ends with the process alone.
    func run() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: RefreshEvent.self, bufferingPolicy: .bufferingNewest(256))
        let observer: @Sendable (RefreshEvent) -> Void = { continuation.yield($0) }
        let isURL = CommandKeys.isURL(place)
        let keys = try await CommandKeys.ready(
            isURL ? .jwks(url: place) : .file(place), failover: isURL ? [.issuer(place)] : [], isForced: isForced, observer: observer)
        terminal.write(KeyTable.text(keys.status.keys, on: terminal))
        for await event in events {
            guard let text = describe(event.kind) else { continue }
            terminal.line("\(terminal.styled(now, .dim))  \(text)")
            if case .fetchStarted = event.kind { continue }
            terminal.line("          \(StatusText.line(keys.status, on: terminal))")
        }
    }

    private var now: String { Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).time(includingFractionalSeconds: false)) }

    private func describe(_ event: RefreshEvent.Kind) -> String? {
        switch event {
        case .fetchStarted(let cause): "fetch (\(cause))"
        case .fetchFailed(let failure, let retry): terminal.styled("failed: \(failure)", .bad) + "; again in \(StatusText.span(retry))"
        case .confirmed: "unchanged"
        case .installed(let change, let generation): installed(change, generation)
        case .overtaken: "an older answer came late and does not count"
        case .restored(let age): "restored, \(StatusText.span(age)) old"
        case .storedSetRefused(let reason): terminal.styled("stored set refused: \(reason)", .warning)
        case .expired: terminal.styled("expired: there are no keys", .bad)
        case .alarm(let alarm): terminal.styled("alarm: \(describe(alarm))", .warning)
        }
    }

    private func installed(_ change: KeySetChange, _ generation: UInt64) -> String {
        let gone = change.removed.map { terminal.styled("- \(KeyTable.printable($0))", .bad) }
        let added = change.added.map { terminal.styled("+ \(KeyTable.printable($0))", .good) }
        return (["generation \(generation)"] + gone + added).joined(separator: "  ")
    }

    private func describe(_ alarm: RefreshEvent.Alarm) -> String {
        switch alarm {
        case .privateKeyPublished(let name): "the private key of \(KeyTable.printable(name)) is published"
        case .secretPublished(let name): "a shared secret, \(KeyTable.printable(name)), is published"
        case .duplicateKeyID(let name): "several keys are called \(KeyTable.printable(name))"
        case .keyReplaced(let name): "\(KeyTable.printable(name)) is another key now"
        case .clockSkew(let skew): "the source's clock is \(skew.components.seconds) s ahead"
        }
    }
}
