import CommandProgram
import JWKSCache
import JWTCore

/// Follows a key set and prints a line for each event.
struct KeyWatch {
    private let place: String
    private let isForced: Bool
    private let terminal = Terminal.output

    init(_ place: String, isForced: Bool) {
        self.place = place
        self.isForced = isForced
    }

    /// Runs until the user interrupts it; returns only by throwing an error.
    func run() async throws {
        let (keys, events) = try await CommandKeys.fetch(place, as: CommandKeys.candidates(for: place), isForced: isForced)
        terminal.write(KeyTable.text(keys.status.keys, on: terminal))
        for await event in events {
            guard let text = describe(event.kind) else { continue }
            terminal.line("\(terminal.styled(now, .dim))  \(text)")
            if case .fetchStarted = event.kind { continue }
            terminal.line("          \(StatusText.line(keys.status, on: terminal))")
        }
    }

    private var now: String { Times.text(SystemClock().now, "%H:%M:%S") }

    private func describe(_ event: RefreshEvent.Kind) -> String? {
        switch event {
        case .fetchStarted(let cause): "fetch (\(cause))"
        case .fetchFailed(let failure, let retry):
            terminal.styled("failed: \(printable("\(failure)"))", .bad) + "; retry in \(StatusText.span(retry))"
        case .confirmed: "unchanged"
        case .installed(let change, let generation): installed(change, generation)
        case .overtaken: "an older answer arrived late and is ignored"
        case .restored(let age): "restored, \(StatusText.span(age)) old"
        case .storedSetRefused(let reason): terminal.styled("stored set refused: \(printable("\(reason)"))", .warning)
        case .expired: terminal.styled("expired: no keys", .bad)
        case .alarm(let alarm): terminal.styled("alarm: \(describe(alarm))", .warning)
        }
    }

    private func installed(_ change: KeySetChange, _ generation: UInt64) -> String {
        let gone = change.removed.map { terminal.styled("- \(KeyTable.cell($0))", .bad) }
        let added = change.added.map { terminal.styled("+ \(KeyTable.cell($0))", .good) }
        return (["generation \(generation)"] + gone + added).joined(separator: "  ")
    }

    private func describe(_ alarm: RefreshEvent.Alarm) -> String {
        switch alarm {
        case .privateKeyPublished(let name): "the private key of \(KeyTable.cell(name)) is published"
        case .secretPublished(let name): "a shared secret, \(KeyTable.cell(name)), is published"
        case .duplicateKeyID(let name): "several keys have the kid \(KeyTable.cell(name))"
        case .keyReplaced(let name): "\(KeyTable.cell(name)) now names another key"
        case .clockSkew(let skew): "the source's clock is \(skew.components.seconds) s ahead"
        }
    }
}
