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

    /// A section of the page; empty for a table without lines. Each cell also has its title, for screens too narrow for columns.
    func html(_ title: String) -> String {
        guard !isEmpty else { return "" }
        let titles = lines[0].cells.map(\.escaped), hasNotes = lines.contains { !$0.note.isEmpty }
        let columns = titles.map { "<th scope=\"col\">\($0)</th>" }.joined() + (hasNotes ? "<th scope=\"col\">note</th>" : "")
        let body = lines.dropFirst().map { line in
            let cells = zip(titles, line.cells).dropFirst().map { "<td data-title=\"\($0)\">\($1.escaped)</td>" }
            let note = hasNotes ? "<td class=\"note\">\(line.note.escaped)</td>" : ""
            return "<tr><th scope=\"row\">\(line.cells[0].escaped)</th>\(cells.joined())\(note)</tr>"
        }
        return """
            <section><h2>\(title.escaped)</h2><table><thead><tr>\(columns)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody></table></section>

            """
    }
}
