import ArgumentParser
import CommandProgram
import IDaaSServer

struct IDaaSAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Prints the audit events that the servers of a database have written into it, in their order.",
        discussion: """
            The servers write them with the setting audit.database. Each event has a number, and --after continues behind it.
            Example: assay idaas audit --config idaas.yaml --after 1200 --follow
            """)
    @OptionGroup var options: IDaaSOptions
    @Option(help: ArgumentHelp("Print the events after this number. Default: all.", valueName: "number"))
    var after: Int?
    @Flag(help: "Wait for new events, until a signal ends the command.")
    var follow = false
    @Flag(help: "Print each event as one line of JSON, as an audit file has it, with its number and server.")
    var json = false

    func validate() throws {
        guard after ?? 0 >= 0 else { throw ValidationError("--after is the number of an event, or 0") }
    }

    func run() async throws {
        try await options.administer { [after] services in
            var reader = AuditReader(store: services.store, after: after ?? 0)
            var isWaiting = false
            while true {
                do {
                    let page = try await reader.next()
                    isWaiting = false
                    try show(page)
                    if page.isFull { continue }
                    guard follow else { return }
                } catch let failure as StoreFailure where follow && failure.isPassing {
                    // Once, and not for each try.
                    if !isWaiting { Terminal.error.line("\(failure); waiting for it") }
                    isWaiting = true
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func show(_ page: AuditReader.Page) throws {
        if page.deleted > 0, let last = page.events.last {
            Terminal.error.line("\(page.deleted) events before number \(last.number) were deleted by their age")
        }
        for event in page.events {
            if json { Terminal.output.json(try event.text) } else { Listing.line(try event.row) }
        }
    }
}

extension StoredAuditEvent {
    fileprivate var row: [(name: String, value: String)] {
        get throws { [("number", String(number)), ("server", server)] + (try members) }
    }
}
