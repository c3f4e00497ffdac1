#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The sockets that systemd opened for this process (sd_listen_fds(3)): `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES` in the
/// environment.
package struct SocketActivation: Sendable {
    /// The first descriptor that is passed (SD_LISTEN_FDS_START).
    private static let first: Int32 = 3
    /// More sockets than that are not meant.
    private static let most: Int32 = 64

    /// The descriptors by name. Sockets of one unit share a name.
    package let descriptors: [String: [Int32]]

    /// - Parameter environment: nil means that of this process.
    package init(environment: [String: String]? = nil, processID: Int32 = getpid()) {
        let environment = environment ?? Self.environment
        guard environment["LISTEN_PID"] == String(processID), let count = environment["LISTEN_FDS"].flatMap(Int32.init),
            (1...Self.most).contains(count)
        else {
            descriptors = [:]
            return
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var descriptors: [String: [Int32]] = [:]
        for index in 0..<count {
            let name = names.indices.contains(Int(index)) && !names[Int(index)].isEmpty ? names[Int(index)] : "unknown"
            descriptors[name, default: []].append(Self.first + index)
        }
        self.descriptors = descriptors
    }

    private static var environment: [String: String] {
        var values: [String: String] = [:]
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            // SAFETY: the value is copied at once.
            values[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return values
    }

    /// The sockets called `name`.
    ///
    /// - Throws: ``ListeningFailure`` if there is none, or one does not listen.
    package func sockets(_ name: String) throws(ListeningFailure) -> [ListeningSocket] {
        guard let found = descriptors[name], !found.isEmpty else {
            throw ListeningFailure(.notPassed, "activation:\(name): systemd passed no socket of this name")
        }
        var sockets: [ListeningSocket] = []
        for descriptor in found { sockets.append(try .passed(descriptor, name: name)) }
        return sockets
    }
}
