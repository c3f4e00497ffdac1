internal import CPostgreSQL

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// One server that a connection URI or string names (PostgreSQL's manual, section 34.1.1).
///
/// libpq itself goes to the next server when one refuses, but its time-out for one that does not answer is not in force for connections
/// that do not block. So each has an attempt of its own.
package struct PostgresServer: Sendable {
    private let url: String
    private let application: String
    /// The host and the port of this server, in place of the lists.
    private let place: [(name: String, value: String)]

    /// The servers in the order of the URL. A host's name is looked up with the system's resolver, which may block the connection's thread.
    ///
    /// - Parameters:
    ///   - url: a connection URI.
    ///   - application: the name that the server shows for the connections.
    /// - Throws: ``PostgresURLFault`` if the URL cannot be read.
    package static func all(of url: String, application: String) throws(PostgresURLFault) -> [PostgresServer] {
        let parts = try parameters(of: url)
        let hosts = list(parts["host"]), addresses = list(parts["hostaddr"]), ports = list(parts["port"])
        let count = max(hosts.count, addresses.count)
        guard count > 1 else { return [PostgresServer(url: url, application: application, place: [])] }
        return (0..<count).map { ordinal in
            var place: [(name: String, value: String)] = []
            if hosts.indices.contains(ordinal) { place.append(("host", hosts[ordinal])) }
            if addresses.indices.contains(ordinal) { place.append(("hostaddr", addresses[ordinal])) }
            // One port may stand for all.
            if let port = ports.count > 1 && ordinal < ports.count ? ports[ordinal] : ports.first { place.append(("port", port)) }
            return PostgresServer(url: url, application: application, place: place)
        }
    }

    private static func list(_ value: String?) -> [String] {
        value?.split(separator: "," as Character, omittingEmptySubsequences: false).map(String.init) ?? []
    }

    private static func parameters(of url: String) throws(PostgresURLFault) -> [String: String] {
        // libpq's message would quote the URL, which may have a password.
        guard let options = unsafe PQconninfoParse(url, nil) else { throw PostgresURLFault() }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val { unsafe values[String(cString: name)] = unsafe String(cString: value) }
            unsafe option += 1
        }
        return values
    }

    /// Begins to connect, without waiting.
    ///
    /// - Returns: a connection that PQfinish has to end.
    func start() throws -> OpaquePointer {
        // What stands behind `dbname` has precedence over the URL; a standby takes no writes.
        let settings =
            [("dbname", url), ("client_encoding", "UTF8"), ("application_name", application), ("target_session_attrs", "read-write")]
            + [("keepalives_idle", "10"), ("tcp_user_timeout", "10000")] + place
        let words = unsafe settings.flatMap { unsafe [strdup($0.0), strdup($0.1)] }
        defer { for place in unsafe words.indices { unsafe free(words[place]) } }
        let names = unsafe stride(from: 0, to: words.count, by: 2).map { unsafe UnsafePointer(words[$0]) } + [nil]
        let values = unsafe stride(from: 1, to: words.count, by: 2).map { unsafe UnsafePointer(words[$0]) } + [nil]
        guard let connection = unsafe PQconnectStartParams(names, values, 1) else {
            throw PostgresError(state: "", message: "out of memory")
        }
        return unsafe connection
    }
}
