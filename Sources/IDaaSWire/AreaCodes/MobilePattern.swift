/// A regular expression for phone numbers from a server or a file. Matching takes time proportional to the product of both lengths.
///
/// The matcher follows all alternatives at once (Thompson) and never backtracks. It refuses forms that need backtracking: references to
/// groups, look-around, atomic groups. A pattern has at most 256 bytes, a text at most 32 characters. A match covers the whole text.
public struct MobilePattern: Hashable, Sendable {
    public let pattern: String
    let steps: [Step]

    public static let longestPattern = 256
    public static let longestText = 32
    /// The maximum number of steps after expanding counted repetitions.
    static let mostSteps = 2_048

    /// One step of the automaton; a number is the index of another step.
    enum Step: Hashable, Sendable {
        case byte(ASCIISet)
        case either(Int, Int)
        case atStart
        case atEnd
        case accept
    }

    /// - Returns: nil for a pattern that is too long, malformed, or of a refused form.
    public init?(_ pattern: String) {
        guard pattern.utf8.count <= Self.longestPattern, pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var parser = MobilePatternParser(pattern)
        guard let tree = parser.whole() else { return nil }
        var program = Program()
        guard program.add(tree), program.add(.accept) else { return nil }
        self.pattern = pattern
        steps = program.steps
    }

    /// Whether the whole of `text` matches.
    public func matches(_ text: String) -> Bool {
        guard text.count <= Self.longestText else { return false }
        let bytes = Array(text.utf8)
        var current = reachable(from: [0], at: 0, of: bytes.count)
        for (position, byte) in bytes.enumerated() {
            var next: [Int] = []
            for place in current { if case .byte(let set) = steps[place], set.contains(byte) { next.append(place + 1) } }
            guard !next.isEmpty else { return false }
            current = reachable(from: next, at: position + 1, of: bytes.count)
        }
        return current.contains(steps.count - 1)
    }

    /// The steps that can be reached from `places` without consuming a byte, each once.
    private func reachable(from places: [Int], at position: Int, of count: Int) -> [Int] {
        var seen = [Bool](repeating: false, count: steps.count)
        var stack = places, found: [Int] = []
        while let place = stack.popLast() {
            guard !seen[place] else { continue }
            seen[place] = true
            switch steps[place] {
            case .either(let first, let second): stack += [first, second]
            case .atStart: if position == 0 { stack.append(place + 1) }
            case .atEnd: if position == count { stack.append(place + 1) }
            case .byte, .accept: found.append(place)
            }
        }
        return found
    }

    /// The steps under construction.
    private struct Program {
        var steps: [Step] = []

        /// - Returns: false if there are too many steps.
        mutating func add(_ step: Step) -> Bool {
            steps.append(step)
            return steps.count <= MobilePattern.mostSteps
        }

        mutating func add(_ node: PatternNode) -> Bool {
            switch node {
            case .set(let set): return add(.byte(set))
            case .start: return add(.atStart)
            case .end: return add(.atEnd)
            case .sequence(let nodes): return nodes.allSatisfy { add($0) }
            case .choice(let nodes): return add(choice: nodes[...])
            case .repeated(let node, let least, let most): return add(node, least, most)
            }
        }

        private mutating func add(choice nodes: ArraySlice<PatternNode>) -> Bool {
            guard let first = nodes.first else { return true }
            guard nodes.count > 1 else { return add(first) }
            let fork = steps.count
            guard add(.accept), add(first) else { return false }
            let jump = steps.count
            guard add(.accept) else { return false }
            steps[fork] = .either(fork + 1, steps.count)
            guard add(choice: nodes.dropFirst()) else { return false }
            steps[jump] = .either(steps.count, steps.count)
            return true
        }

        private mutating func add(_ node: PatternNode, _ least: Int, _ most: Int?) -> Bool {
            for _ in 0..<least {
                let before = steps.count
                guard add(node) else { return false }
                // A repetition of nothing adds nothing. Otherwise nested repetitions would never end.
                if steps.count == before { return true }
            }
            guard let most else { return add(loop: node) }
            var forks: [Int] = []
            for _ in least..<most {
                forks.append(steps.count)
                guard add(.accept), add(node) else { return false }
            }
            for fork in forks { steps[fork] = .either(fork + 1, steps.count) }
            return true
        }

        private mutating func add(loop node: PatternNode) -> Bool {
            let fork = steps.count
            guard add(.accept), add(node), add(.either(fork, fork)) else { return false }
            steps[fork] = .either(fork + 1, steps.count)
            return true
        }
    }
}
