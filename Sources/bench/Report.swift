import COpenSSL
import Foundation
import JWTCore

/// The rows of a run with where and when they were measured.
struct Report {
    let rows: [Row]
    private let machine = Report.machineName
    private let openssl = unsafe String(cString: cossl_version())
    private let date = ISO8601DateFormatter().string(from: Date()).prefix(10)

    init(rows: [Row]) { self.rows = rows }

    var table: String {
        var text = "\(machine) · \(openssl) · \(date) · one thread\n"
        let engine = Engine.states.map { "\($0.family) \($0.state.rawValue)" }
        text += "engine: \(Engine.tier.name) (\(engine.joined(separator: ", ")))\n"
        text += "row                tokens/s     ns/token   openssl/s   ratio\n"
        for row in rows {
            let raw = row.opensslOpsPerSecond.map { String(format: "%11.0f", $0) } ?? "          -"
            let ratio = row.ratio.map { String(format: "%7.3f", $0) } ?? "      -"
            text += row.name.padding(toLength: 16, withPad: " ", startingAt: 0)
            text += String(format: "%11.0f  %11.0f ", row.opsPerSecond, row.nanoseconds) + raw + " " + ratio + "\n"
        }
        return text
    }

    var json: String {
        struct Document: Encodable {
            let machine: String
            let openssl: String
            let date: String
            let rows: [Row]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let document = Document(machine: machine, openssl: openssl, date: String(date), rows: rows)
        return (try? String(decoding: encoder.encode(document), as: UTF8.self)) ?? "{}"
    }

    /// The processor's name, where the system tells it.
    private static var machineName: String {
        let cpuinfo = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }
}
