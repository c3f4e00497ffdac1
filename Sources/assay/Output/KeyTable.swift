import JWKSCache
import JWTCore

/// Keys for people and programs.
enum KeyTable {
    static func text(_ keys: [VerificationKey], on terminal: Terminal) -> String {
        let rows = keys.map(row)
        let titles = ["kid", "kty", "alg", "use", "size", "thumbprint (SHA-256)"]
        let widths = titles.indices.map { column in (rows.map { $0[column].count } + [titles[column].count]).max() ?? 0 }
        var text = terminal.styled(line(titles, widths, note: "status"), .bold) + "\n"
        for (key, row) in zip(keys, rows) {
            let style: Terminal.Style = key.refusal == nil ? .good : .bad
            text += line(row, widths, note: terminal.styled(note(key), style)) + "\n"
        }
        return text
    }

    static func json(_ keys: [VerificationKey], _ status: KeySetStatus? = nil) -> String {
        let objects = keys.map { key in
            var members = ["\"usable\":\(key.refusal == nil)"]
            func add(_ name: String, _ value: String?) { if let value { members.append("\"\(name)\":\(quoted(value))") } }
            add("kid", key.keyID)
            add("kty", key.kindName)
            add("crv", key.curveName)
            add("alg", key.algorithmName)
            add("use", key.use)
            if key.bits > 0 { members.append("\"bits\":\(key.bits)") }
            add("thumbprint", key.thumbprint)
            add("reason", key.refusal?.name)
            members.append("\"algorithms\":[\(key.algorithms.algorithms.map { "\"\($0.name)\"" }.joined(separator: ","))]")
            members.append("\"advisories\":[\(key.advisories.map { quoted($0.rawValue) }.joined(separator: ","))]")
            return "{\(members.joined(separator: ","))}"
        }
        let state = status.map { ",\"status\":\(StatusText.json($0))" } ?? ""
        return "{\"keys\":[\(objects.joined(separator: ","))]\(state)}\n"
    }

    private static func row(_ key: VerificationKey) -> [String] {
        [
            printable(key.keyID), printable(key.kindName), printable(key.algorithmName), printable(key.use), size(key),
            key.thumbprint ?? "-",
        ]
    }

    private static func size(_ key: VerificationKey) -> String { key.curveName ?? (key.bits > 0 ? "\(key.bits)" : "-") }

    /// A name from a document, cut and without anything that moves a cursor.
    static func printable(_ text: String?) -> String {
        guard let text else { return "-" }
        let safe = quoted(String(text.prefix(64))).dropFirst().dropLast()
        return text.count > 64 ? safe + "…" : String(safe)
    }

    private static func note(_ key: VerificationKey) -> String {
        let remarks = key.advisories.map(\.rawValue)
        guard let refusal = key.refusal else { return (["usable"] + remarks).joined(separator: "; ") }
        return (["skipped: \(refusal.name), \(reason(refusal))"] + remarks).joined(separator: "; ")
    }

    /// Why a key is skipped, told of a key and no token.
    private static func reason(_ refusal: VerificationError.Code) -> String {
        refusal == .keyAlgorithmMismatch ? "its type, curve or algorithm is unknown, or not for signatures" : refusal.summary
    }

    private static func line(_ cells: [String], _ widths: [Int], note: String) -> String {
        let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        return padded.joined(separator: "  ") + "  " + note
    }
}
