import JWTCore

/// Random choices, the same in every run: the highest bits of a linear congruential generator modulo 2^64 (Knuth's MMIX).
struct Choice {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// An object with at most four members, and containers in it.
    mutating func object(depth: Int) -> JSONTree {
        var members: [String: JSONTree] = [:]
        for place in 0..<below(5) { members["m\(place)"] = value(depth: depth - 1) }
        return .object(members)
    }

    private mutating func value(depth: Int) -> JSONTree {
        switch below(depth > 0 ? 6 : 3) {
        case 0: return .string(["", "a", "\u{1}\"\\", "Köln 😀"][below(4)])
        case 1: return .number("\(below(100) - 50)")
        case 2: return [.null, .bool(true), .bool(false)][below(3)]
        case 3, 4: return object(depth: depth)
        default: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
        }
    }
}

extension JSONTree {
    /// The paths of all members and elements.
    func paths(at prefix: String = "") -> [String] {
        var paths: [String] = []
        for (name, value) in parts { paths += [prefix + name] + value.paths(at: prefix + name + ".") }
        return paths
    }

    /// The tree without the members and elements at `paths`.
    func without(_ paths: Set<String>, at prefix: String = "") -> JSONTree {
        let kept = parts.filter { !paths.contains(prefix + $0.0) }.map { ($0.0, $0.1.without(paths, at: prefix + $0.0 + ".")) }
        return switch self {
        case .object: .object(Dictionary(uniqueKeysWithValues: kept))
        case .array: .array(kept.map(\.1))
        default: self
        }
    }

    private var parts: [(String, JSONTree)] {
        switch self {
        case .object(let members): members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        case .array(let elements): elements.enumerated().map { ("\($0.offset)", $0.element) }
        default: []
        }
    }
}

/// A tree that encodes as what it is.
struct WrittenJSON: Encodable {
    let tree: JSONTree

    func encode(to encoder: any Encoder) throws {
        switch tree {
        case .object(let members): try members.mapValues { WrittenJSON(tree: $0) }.encode(to: encoder)
        case .array(let elements): try elements.map { WrittenJSON(tree: $0) }.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .bool(let bool): try bool.encode(to: encoder)
        case .number: try tree.integer.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
