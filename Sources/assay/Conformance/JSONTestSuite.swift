import CommandProgram
import JWTCore

/// A folder of JSONTestSuite: `y_` must be accepted, `n_` refused. The suite leaves `i_` to the implementation; Assay has a rule.
struct JSONTestSuite {
    private let folder: String
    private let names: [String]

    /// Well-formed in RFC 8259, but refused by the strict reading of RFC 7515 section 4.
    private static let duplicates = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    static func isOne(_ names: [String]) -> Bool { names.contains("n_structure_no_data.json") }

    init(_ folder: String, _ names: [String]) {
        self.folder = folder
        self.names = names
    }

    /// - Throws: a failure with the path of a file that cannot be read.
    func run(_ report: inout ConformanceReport) throws(CommandFailure) {
        for name in names where name.hasSuffix(".json") {
            let got = Self.read(try InputFile(path: "\(folder)/\(name)").contents())
            switch name.prefix(2) {
            case "y_": report.note(folder, name, expected: Self.duplicates.contains(name) ? "duplicate_member" : "valid", got: got)
            case "n_": report.note(folder, name, expected: "invalid", got: got)
            // Assay accepts numbers of any size, and refuses invalid encodings and extreme depths.
            case "i_": report.note(folder, name, expected: name.hasPrefix("i_number_") ? "valid" : "invalid", got: got)
            default: continue
            }
        }
    }

    /// "valid" or the error code, with limits far above those for tokens.
    static func read(_ text: [UInt8]) -> String {
        var tape = [JSONNode](repeating: .placeholder, count: 4096)
        let limits = JSONLimits(depth: 128, members: 1024, values: 2048, stringBytes: 1 << 20, numberBytes: 1 << 20)
        do throws(VerificationError) {
            var tokenizer = JSONTokenizer(text.span, tape: tape.mutableSpan, limits: limits)
            _ = try tokenizer.tokenize()
            return "valid"
        } catch {
            return error.code.name
        }
    }
}
