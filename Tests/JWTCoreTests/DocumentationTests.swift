import Foundation
import JWTCore
import JWTTestSupport
import Testing

struct DocumentationTests {
    /// `Errors.md` has a row `| number | name | …` for every code, in order, and no other.
    @Test
    func theTableOfErrorsIsThatOfTheCode() throws {
        let path = ConformanceFolder.repository + "/Sources/JWTCore/Docs.docc/Errors.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let rows = text.split(separator: "\n").compactMap { line -> [String]? in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3, cells[0].isEmpty, UInt16(cells[1]) != nil else { return nil }
            return [cells[1], cells[2].trimmingCharacters(in: ["`"])]
        }
        #expect(rows == VerificationError.Code.all.map { ["\($0.number)", $0.name] })
    }

    /// Every row of the attacks article names cases that exist: `file.json: \`id\`, \`id\`; …` in its last cell, or a test.
    @Test
    func everyAttackLinksACaseThatExists() throws {
        let path = ConformanceFolder.repository + "/Sources/JWTCore/Docs.docc/JWT-attacks-and-where-each-is-stopped.md"
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("|") && !$0.hasSuffix(" test |") && !$0.hasPrefix("|-")
        }
        #expect(rows.count > 50)
        for row in rows {
            let links = row.split(separator: "|").last ?? ""
            #expect(links.contains("`"), "a row without a test: \(row)")
            for part in links.split(separator: ";") where part.contains(".json:") {
                let file = part.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces)
                let cases = try String(contentsOfFile: "\(ConformanceFolder.repository)/vectors/\(file)", encoding: .utf8)
                for (ordinal, id) in part.split(separator: "`").enumerated() where ordinal % 2 == 1 {
                    #expect(cases.contains("\"id\": \"\(id)\""), "\(file) has no \(id)")
                }
            }
        }
    }
}
