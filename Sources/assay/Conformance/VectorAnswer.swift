/// What is said of a vector that asks for more than a verdict.
enum VectorAnswer {
    /// Valid, with what was read as a text that can be compared.
    case valid(String)
    /// The error code.
    case refused(String)
}

extension ConformanceReport {
    /// Records one of our answers to a vector that expects `expect`, and where that is "valid", to have read `content`.
    mutating func note(
        _ path: String, _ id: String, _ severity: String, expected expect: String, _ content: String, got answer: VectorAnswer
    ) {
        switch answer {
        case .valid(let text) where expect == "valid": noteExactly(path, id, severity: severity, expected: content, got: text)
        case .valid: noteExactly(path, id, severity: severity, expected: expect, got: "valid")
        case .refused(let code) where expect == "valid": noteExactly(path, id, severity: severity, expected: content, got: code)
        case .refused(let code): note(path, id, severity: severity, expected: expect, got: code)
        }
    }
}
