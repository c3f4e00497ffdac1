import FuzzInput
import JWTCore

/// A text on a tape, or the error.
struct Tape: Equatable {
    private(set) var records: [JSONNode] = []
    private(set) var error: VerificationError?

    init(_ text: [UInt8], _ limits: JSONLimits, byReference: Bool) {
        var memory = [JSONNode](repeating: .placeholder, count: 2 * min(limits.values, text.count + 1))
        do throws(VerificationError) {
            let count = try Self.read(text, &memory, limits, byReference)
            records = Array(memory[..<count])
        } catch {
            ReachedCodes.note(error)
            precondition((0...text.count).contains(error.offset ?? 0), "an offset behind the text")
            self.error = error
        }
    }

    private static func read(
        _ text: [UInt8], _ memory: inout [JSONNode], _ limits: JSONLimits, _ byReference: Bool
    ) throws(VerificationError) -> Int {
        var limits = limits
        limits.values = min(limits.values, memory.count / 2)
        var tokenizer = JSONTokenizer(text.span, tape: memory.mutableSpan, limits: limits)
        return byReference ? try tokenizer.tokenizeByReference() : try tokenizer.tokenize()
    }

    func withRoot(_ text: [UInt8], _ body: (borrowing JSONValue) -> Void) { body(JSONValue(text: text.span, tape: records.span)) }
}
