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
            guard cells.count > 5, cells[0].isEmpty, UInt16(cells[1]) != nil else { return nil }
            return [cells[1], cells[2].trimmingCharacters(in: ["`"])]
        }
        #expect(rows == VerificationError.Code.all.map { ["\($0.number)", $0.name] })
    }

    /// `Errors.md` lists the status and the `error` of every code exactly once, `| status | error | codes |`.
    @Test
    func theTableOfRepliesIsThatOfTheCode() throws {
        let path = ConformanceFolder.repository + "/Sources/JWTCore/Docs.docc/Errors.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let table = text.split(separator: "\n").drop { !$0.hasPrefix("| status |") }.prefix { $0.hasPrefix("|") }
        var written: [String: [String]] = [:]
        for row in table.dropFirst(2) {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[2].matches(of: /`([a-z0-9_]+)`/) { written[String(name.1), default: []].append("\(cells[0]) \(cells[1])") }
        }
        let replies = VerificationError.Code.all.map { code in
            (code.name, ["\(code.httpStatus) \(code.bearerFailure.map { "`\($0.rawValue)`" } ?? "none")"])
        }
        #expect(written == Dictionary(uniqueKeysWithValues: replies))
    }

    /// Every row of the attacks article names existing cases in its last cell: `file.json: \`id\`, \`id\`; …`, or a test.
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
                    #expect(cases.contains(#""id": "\#(id)""#), "\(file) has no \(id)")
                }
            }
        }
    }
}
