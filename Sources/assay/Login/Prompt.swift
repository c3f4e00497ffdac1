import CommandProgram

extension String {
    /// This text without blanks at its ends.
    var withoutOuterBlanks: String {
        let isBlank: (Character) -> Bool = { $0.isWhitespace && !$0.isNewline }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start...end])
    }
}

/// Asks the user questions on standard error, so that standard output has only results.
enum Prompt {
    /// - Throws: at the end of standard input.
    static func line(_ question: String) throws -> String {
        Terminal.error.write(question)
        guard let answer = readLine()?.withoutOuterBlanks, !answer.isEmpty else {
            throw CommandFailure.usage("no answer on standard input")
        }
        return answer
    }
}
