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
}
