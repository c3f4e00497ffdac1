import CommandProgram
import JWKSCache
import JWTCore

/// The keys of a set as a table and as JSON.
enum KeyTable {
    static func text(_ keys: [VerificationKey], on terminal: Terminal) -> String {
        let rows = keys.map(row)
        let titles = ["kid", "kty", "alg", "use", "size", "thumbprint (SHA-256)"]
        let widths = titles.indices.map { column in (rows.map { $0[column].count } + [titles[column].count]).max() ?? 0 }
        var text = terminal.styled(line(titles, widths, note: "status"), .bold) + "\n"
        for (key, row) in zip(keys, rows) {
            let style: Terminal.Style = key.unusableReason == nil ? .good : .bad
            text += line(row, widths, note: terminal.styled(note(key), style)) + "\n"
        }
        return text
    }

    static func json(_ keys: [VerificationKey], _ status: KeySetStatus? = nil) -> String {
        let objects = keys.map { key in
            var members = ["\"usable\":\(key.unusableReason == nil)"]
            func add(_ name: String, _ value: String?) { if let value { members.append("\"\(name)\":\(quoted(value))") } }
            add("kid", key.keyID)
            add("kty", key.typeName)
            add("crv", key.curveName)
            add("alg", key.algorithmName)
            add("use", key.use)
            if key.bits > 0 { members.append("\"bits\":\(key.bits)") }
            add("thumbprint", key.thumbprint)
            add("reason", key.unusableReason?.name)
            members.append("\"algorithms\":[\(key.algorithms.algorithms.map { "\"\($0.name)\"" }.joined(separator: ","))]")
            members.append("\"advisories\":[\(key.advisories.map { quoted($0.rawValue) }.joined(separator: ","))]")
            return "{\(members.joined(separator: ","))}"
        }
        let state = status.map { ",\"status\":\(StatusText.json($0))" } ?? ""
        return "{\"keys\":[\(objects.joined(separator: ","))]\(state)}"
    }

    private static func row(_ key: VerificationKey) -> [String] {
        let size = key.curveName ?? (key.bits > 0 ? "\(key.bits)" : nil)
        return [key.keyID, key.typeName, key.algorithmName, key.use, size, key.thumbprint].map(cell)
    }

    /// A name, escaped and shortened to the maximum width of a column.
    static func cell(_ name: String?) -> String { printable(name, upTo: 64) }

    private static func note(_ key: VerificationKey) -> String {
        let remarks = key.advisories.map(\.rawValue)
        guard let refusal = key.unusableReason else { return (["usable"] + remarks).joined(separator: "; ") }
        return (["skipped: \(refusal.name), \(reason(refusal))"] + remarks).joined(separator: "; ")
    }

    /// The reason why a key is skipped. `keyAlgorithmMismatch` has its own text here, because its summary is about a token's key.
    private static func reason(_ refusal: VerificationError.Code) -> String {
        refusal == .keyAlgorithmMismatch ? "its type, curve or algorithm is unknown, or not for signatures" : refusal.summary
    }

    private static func line(_ cells: [String], _ widths: [Int], note: String) -> String {
        let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        return padded.joined(separator: "  ") + "  " + note
    }
}
