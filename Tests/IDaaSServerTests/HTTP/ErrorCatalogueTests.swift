#if IDaaS
import Foundation
import IDaaSServer
import Testing

@Suite("The error catalogue")
struct ErrorCatalogueTests {
    @Test("Every code has one row, in both languages")
    func complete() {
        #expect(Set(ErrorCatalogue.rows.map(\.code)) == Set(ErrorCode.allCases))
        #expect(ErrorCatalogue.rows.count == ErrorCode.allCases.count)
        for row in ErrorCatalogue.rows {
            #expect(!row.english.isEmpty && !row.chinese.isEmpty)
            let places = (0..<4).filter { row.english.contains("{\($0)}") }
            #expect(places == (0..<4).filter { row.chinese.contains("{\($0)}") }, "\(row.code) has other places in Chinese")
        }
    }

    @Test("43 codes are the documents' own, 8 are ours")
    func counts() {
        #expect(ErrorCode.allCases.count { $0.isDocumented } == 43)
        #expect(ErrorCode.allCases.count { !$0.isDocumented } == 8)
    }

    @Test("Only the busy system is 500 and only a limit is 429")
    func statuses() {
        for code in ErrorCode.allCases {
            #expect(code.status == (code == .systemBusy ? 500 : code == .rateLimited ? 429 : 400))
        }
    }

    @Test("Arguments stand where the template says, and a missing one leaves nothing")
    func arguments() {
        #expect(ErrorCatalogue.text(.missingParameter, ["X-client-id"], in: .english) == "Parameter X-client-id cannot be left blank")
        #expect(ErrorCatalogue.text(.expired, ["session_token"], in: .chinese) == "session_token 已失效")
        #expect(ErrorCatalogue.text(.locked, ["14", "59"], in: .english).hasSuffix("in 14 minutes and 59 seconds"))
        #expect(ErrorCatalogue.text(.expired, [], in: .english) == "The  has failed")
        #expect(ErrorCatalogue.text(.expired, ["{0}"], in: .english) == "The {0} has failed")
    }

    @Test(
        "The texts are those of the SDK documents",
        .enabled(if: SDKDocuments.folder != nil, "set ASSAY_SDK_DOCS to the folder of the SDK documents"))
    func documents() throws {
        let folder = try #require(SDKDocuments.folder)
        let listed = try SDKDocuments.errors(in: folder + "/biometric-mfa.zh.txt")
        #expect(listed.count == 43)
        for row in ErrorCatalogue.rows where row.code.isDocumented {
            let document = try #require(listed[row.code.rawValue], "\(row.code) is not in the document")
            #expect(document == SDKDocuments.Row(status: row.code.status, english: row.english, chinese: row.chinese))
        }
        for file in ["biometric-mfa.en.txt", "sms-login.en.txt", "wechat-login.en.txt"] {
            let english = try SDKDocuments.errors(in: "\(folder)/\(file)")
            #expect(english.count == 43, "\(file)")
            for (code, row) in english {
                let code = try #require(ErrorCode(rawValue: code), "\(file) lists \(code)")
                #expect(row.english == ErrorCatalogue.template(code, in: .english), "\(file)")
                #expect(row.status == code.status, "\(file)")
            }
        }
    }
}

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

    /// Between bars, or where there are none between the first blanks.
    private static func cells(of line: String) -> [String] {
        guard line.contains("|") else { return line.split(separator: " ", maxSplits: 2).map(String.init) }
        return line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
#endif
