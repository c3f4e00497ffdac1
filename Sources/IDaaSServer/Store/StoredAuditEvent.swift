internal import JWTCore

/// An audit event in the store.
package struct StoredAuditEvent: Hashable, Sendable {
    /// Its place among the events of all servers, from 1.
    package let number: Int
    /// The name of the server that it happened at.
    package let server: String
    /// The event as a line of an audit file has it, without the line's end.
    package let line: String

    package init(number: Int, server: String, line: String) {
        self.number = number
        self.server = server
        self.line = line
    }
}

extension StoredAuditEvent {
    /// The line with the number and the server before its own members.
    ///
    /// - Throws: ``StoreFailure``: `malformedRecord` for a line that is not an object of texts.
    package var text: String {
        get throws {
            JSON.object([("number", JSON(number)), ("server", .string(server))] + (try members.map { ($0.name, .string($0.value)) })).text
        }
    }

    /// The members of the line, in their order.
    ///
    /// - Throws: ``StoreFailure``: `malformedRecord` for a line that is not an object of texts.
    package var members: [(name: String, value: String)] {
        get throws {
            guard let members = try? ParsedJSON(Array(line.utf8)).decode([String: String].self) else {
                throw StoreFailure(.malformedRecord, "line")
            }
            let known = AuditEvent.memberNames.filter { members[$0] != nil }
            let others = members.keys.filter { !AuditEvent.memberNames.contains($0) }.sorted()
            return (known + others).map { ($0, members[$0] ?? "") }
        }
    }
}
