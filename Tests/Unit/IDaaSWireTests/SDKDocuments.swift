import Foundation

/// The error tables of the SDK documents: a line with status, code and template, and one with its translation.
enum SDKDocuments {
    struct Row: Equatable {
        let status: Int
        let english: String
        let chinese: String
    }

    static var folder: String? { ProcessInfo.processInfo.environment["ASSAY_SDK_DOCS"].flatMap { $0.isEmpty ? nil : $0 } }

    static func errors(in path: String) throws -> [String: Row] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        var rows: [String: Row] = [:]
        for (number, line) in lines.enumerated() {
            let cells = cells(of: line)
            guard cells.count >= 3, let status = Int(cells[0]), cells[1].hasPrefix("IDAAS.SDK."), number + 1 < lines.count else { continue }
            rows[cells[1]] = Row(status: status, english: cells[2], chinese: Self.cells(of: lines[number + 1]).first ?? "")
        }
        return rows
    }

    /// The cells between bars; without bars, between the first blanks.
    private static func cells(of line: String) -> [String] {
        guard line.contains("|") else { return line.split(separator: " ", maxSplits: 2).map(String.init) }
        return line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
