import CommandProgram
import Foundation

/// Asks the user questions on standard error, so that standard output has only results.
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
