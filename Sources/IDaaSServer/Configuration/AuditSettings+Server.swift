internal import Foundation

extension ServerConfiguration.AuditSettings {
    /// The name of this server in its events.
    package var serverName: String { server.isEmpty ? Self.machine : server }

    static func isServerName(_ name: String) -> Bool { (1...64).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(isPlain) }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
    }

    /// The name of the machine (gethostname(2)), or `localhost` where it has none that a line can show.
    private static var machine: String {
        // 64 bytes and the end at most, on Linux.
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return isServerName(text) ? text : "localhost"
    }
}
