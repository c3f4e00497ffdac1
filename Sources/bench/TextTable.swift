/// A table for the terminal, with columns as wide as their widest cells, and for the page. The first column is aligned left, the others
/// right.
struct TextTable {
    private var lines: [(cells: [String], note: String)]

    init(_ titles: [String]) { lines = [(titles, "")] }

    /// Adds a line with one cell per title, and a note after them.
    mutating func add(_ cells: [String], note: String = "") { lines.append((cells, note)) }

    var isEmpty: Bool { lines.count == 1 }

    var text: String {
        let widths = lines[0].cells.indices.map { column in lines.map { $0.cells[column].count }.max() ?? 0 }
        return lines.map { cells, note in
            let padded = zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }
            return padded.joined(separator: "  ") + (note.isEmpty ? "" : "  \(note)") + "\n"
        }.joined()
    }

    /// A section of the page, without the notes; empty for a table without lines.
    func html(_ title: String) -> String {
        guard !isEmpty else { return "" }
        let columns = lines[0].cells.map { "<th scope=\"col\">\($0.escaped)</th>" }.joined()
        let body = lines.dropFirst().map { line in
            "<tr><th scope=\"row\">\(line.cells[0].escaped)</th>\(line.cells.dropFirst().map { "<td>\($0.escaped)</td>" }.joined())</tr>"
        }
        return """
            <section><h2>\(title)</h2><div class="scroll"><table><thead><tr>\(columns)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody></table></div></section>

            """
    }
}
