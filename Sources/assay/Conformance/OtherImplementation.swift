import Foundation

/// Another verifier: a command that reads the cases as JSON lines {id, token, keys, policy, now} from its standard input. It answers each
/// case with a line {id, verdict: "valid" | "invalid" | "unsupported"}. Other members of an answer are for the scoreboard.
struct OtherImplementation {
    let command: String

    func judge(_ files: [VectorFile], _ report: inout ConformanceReport) throws {
        let answers = try answers(to: files)
        for file in files {
            for vector in file.cases {
                let expected = vector.expect == "valid" ? "valid" : "invalid"
                let got = answers[vector.id] ?? "no answer"
                if got == "unsupported" {
                    report.skip(because: "the implementation has no call for what the case asks")
                } else {
                    report.noteExactly(file.path, vector.id, expected: expected, got: got)
                }
            }
        }
    }

    private struct Answer: Decodable {
        let id: String
        let verdict: String
    }

    private func answers(to files: [VectorFile]) throws -> [String: String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let questions = try questions(files)
        // Another thread writes: the command may answer before it has read everything, and the buffers of both pipes are small.
        let writer = Thread {
            for question in questions {
                guard (try? input.fileHandleForWriting.write(contentsOf: question)) != nil else { break }
            }
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailure.usage("\(command): exit code \(process.terminationStatus)") }
        var answers: [String: String] = [:]
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { continue }
            answers[answer.id] = answer.verdict
        }
        return answers
    }

    private func questions(_ files: [VectorFile]) throws -> [Data] {
        var lines: [Data] = []
        for file in files {
            for vector in file.cases {
                var question = file.shared
                question["id"] = vector.id
                question["token"] = vector.token
                // JSONSerialization would write the time as a double. The object is not empty, so a comma follows.
                let members = try JSONSerialization.data(withJSONObject: question).dropFirst()
                lines.append(Data("{\"now\":\(file.nowText),".utf8) + members + Data("\n".utf8))
            }
        }
        return lines
    }
}
