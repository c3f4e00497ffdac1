import CommandProgram
import JWTCore

/// Another verifier: a command that reads the cases as JSON lines from its standard input and answers each with a line `{id, verdict}`. The
/// verdict is `valid`, `invalid`, or `unsupported` for a case that needs what it does not have.
///
/// A question about a token is `{id, token, keys, policy, now}`. A question about a JWK Set is `{id, document, published}`, with `octets` for
/// `document` where it is not UTF-8; its answer may have `usable`, the names of the keys that may verify. Questions about other
/// kinds are in the extensions.
struct OtherImplementation {
    let command: String

    func judge(_ files: VectorFiles, _ report: inout ConformanceReport) throws {
        let answers = try answers(to: Self.questions(files))
        for file in files.lists { note(file, answers, &report) }
        for file in files.events { note(file, answers, &report) }
        for file in files.proofs { note(file, answers, &report) }
        for file in files.certificates { note(file, answers, &report) }
        for file in files.encrypted { note(file, answers, &report) }
        for file in files.presentations { note(file, answers, &report) }
        for file in files.documents { note(file, answers, &report) }
        for file in files.tokens {
            for vector in file.cases {
                let expected = vector.expect == "valid" ? "valid" : "invalid"
                note(file.path, vector.id, vector.severity, expected, answers[vector.id]?.verdict, &report)
            }
        }
        for file in files.sets {
            for vector in file.cases {
                let (expected, got) = Self.texts(vector, answers[vector.id])
                note(file.path, vector.id, vector.severity, expected, got, &report)
            }
        }
    }

    func note(
        _ path: String, _ id: String, _ severity: String?, _ expected: String, _ got: String?, _ report: inout ConformanceReport
    ) {
        guard got != "unsupported" else { return report.skip(because: "the implementation does not have what the case needs") }
        report.noteExactly(path, id, severity: severity, expected: expected, got: got ?? "no answer")
    }

    /// What is compared: the verdicts, or the names of the usable keys. Without a usable key, a set may as well be refused.
    private static func texts(_ vector: KeyDocumentFile.Case, _ answer: Answer?) -> (expected: String, got: String?) {
        guard let keys = vector.keys else { return ("invalid", answer?.verdict) }
        let usable = keys.filter { $0.reason == nil }
        if usable.isEmpty, answer?.verdict == "invalid" { return ("invalid", "invalid") }
        guard answer?.verdict == "valid", let names = answer?.usable else { return ("valid", answer?.verdict) }
        return (text(usable.map(\.kid)), text(names))
    }

    /// The names of usable keys, in any order.
    private static func text(_ names: [String?]) -> String {
        "usable: " + names.map { $0 ?? "without a name" }.sorted().joined(separator: ", ")
    }

    // Answers

    struct Answer: Decodable {
        let id: String
        let verdict: String
        let usable: [String?]?
        let status: Int?
        let uri: String?
        let index: Int?
        let events: [String]?
        let content: String?
        let payload: String?
        let signatures: [Int]?
        var claims: JSONTree?

        private enum CodingKeys: String, CodingKey {
            case id, verdict, usable, status, uri, index, events, payload, signatures, content
        }
    }

    private func answers(to questions: [[UInt8]]) throws -> [String: Answer] {
        let shell = try ShellCommand(command)
        let data = try shell.output(for: questions)
        let code = shell.exitCode()
        guard code == 0 else { throw CommandFailure.usage("\(command): exit code \(code)") }
        var answers: [String: Answer] = [:]
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard var answer = try? JSONTree.decode(Answer.self, from: Array(line)) else { continue }
            answer.claims = (try? JSONTree(parsing: Array(line)))?["claims"]
            answers[answer.id] = answer
        }
        return answers
    }

    // Questions

    private static func questions(_ files: VectorFiles) -> [[UInt8]] {
        let content = files.lists.flatMap { questions($0) } + files.events.flatMap { questions($0) }
        let bound = files.proofs.flatMap { questions($0) } + files.certificates.flatMap { questions($0) }
        let requests = bound + files.encrypted.flatMap { questions($0) }
        let signed = files.presentations.flatMap { questions($0) } + files.documents.flatMap { questions($0) }
        return files.tokens.flatMap { questions($0) } + files.sets.flatMap { questions($0) } + content + requests + signed
    }

    private static func questions(_ file: VectorFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question = file.shared
            question["id"] = .string(vector.id)
            question["token"] = .string(vector.token)
            question["now"] = .number(file.nowText)
            return JSONTree.object(question).json + "\n".utf8
        }
    }

    private static func questions(_ file: KeyDocumentFile) -> [[UInt8]] {
        file.cases.map { vector in
            var question: [String: JSONTree] = ["id": .string(vector.id), "published": .bool(file.isPublished)]
            question["document"] = vector.document.map(JSONTree.string)
            question["octets"] = vector.octets.map(JSONTree.string)
            return JSONTree.object(question).json + "\n".utf8
        }
    }
}
