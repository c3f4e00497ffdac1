import Foundation

/// Questions to a person: on standard error, so that the answer to a pipe stays clean.
enum Prompt {
    /// - Throws: at the end of standard input.
    static func line(_ question: String) throws -> String {
        Terminal.error.write(question)
        guard let answer = readLine()?.trimmingCharacters(in: .whitespaces), !answer.isEmpty else {
            throw CommandFailure.usage("no answer on standard input")
        }
        return answer
    }
}
