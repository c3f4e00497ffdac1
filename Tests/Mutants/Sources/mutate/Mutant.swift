/// One change at one place.
struct Mutant: Encodable {
    /// The number that ASSAY_MUTANT chooses.
    let id: Int
    /// `FILE:START-END:OPERATOR:NUMBER`, the same as long as the file is.
    let key: String
    let file: String
    let line: Int
    let endLine: Int
    /// The lines of the declaration around it, where the compiler may report what a change breaks.
    let declaration: ClosedRange<Int>
    /// The name of the declaration.
    let function: String
    let `operator`: Operator
    let before: String
    let after: String

    private enum CodingKeys: String, CodingKey {
        case id, key, file, line, endLine, first, last, function, `operator`, before, after
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(key, forKey: .key)
        try members.encode(file, forKey: .file)
        try members.encode(line, forKey: .line)
        try members.encode(endLine, forKey: .endLine)
        try members.encode(declaration.lowerBound, forKey: .first)
        try members.encode(declaration.upperBound, forKey: .last)
        try members.encode(function, forKey: .function)
        try members.encode(`operator`.rawValue, forKey: .operator)
        try members.encode(before, forKey: .before)
        try members.encode(after, forKey: .after)
    }
}

/// What a mutant does to its place.
enum Operator: String {
    /// `<` becomes `<=`.
    case boundary
    /// `==` becomes `!=`, `<` becomes `>=`, `!x` becomes `x`, `x ? a : b` becomes `x ? b : a`.
    case negation
    /// `&&` becomes `||`.
    case connective
    /// `+` becomes `-`, `<<` becomes `>>`, `&` becomes `|`, `min` becomes `max`.
    case arithmetic
    /// A number becomes the next one, a range ends one place earlier or later.
    case number
    /// `true` becomes `false`.
    case truth
    /// A condition of a guard holds always.
    case guarded
    /// A condition of an `if`, `while` or `where` never holds.
    case unchecked
    /// A condition of an `if` or `where` holds always.
    case taken
    /// A function that returns a truth value returns always the same one.
    case answer
    /// A function that may return nil does.
    case absent
    /// A refusal has the code of another.
    case code
    /// A statement is gone.
    case statement
}
