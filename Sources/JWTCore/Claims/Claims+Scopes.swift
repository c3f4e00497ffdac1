// The scopes of a token: `scope` (RFC 8693 section 4.2) and `scp`, which other providers write. Each is a string of scopes separated by
// spaces, or an array of scopes. A token with both grants the scopes of both.

extension Claims {
    /// Whether the token grants `scope`, in `scope` or `scp`. Scopes are compared byte for byte. An empty name, and one with a space, is
    /// never granted (RFC 6749 section 3.3).
    public func hasScope(_ scope: String) -> Bool { value.grants(scope.utf8.span) }

    /// The granted scopes: those of `scope`, then those of `scp`, each once.
    public var scopes: [String] {
        var scopes: [String] = []
        for word in value.scopeWords("scope") + value.scopeWords("scp") where !scopes.contains(where: { $0.utf8.elementsEqual(word) }) {
            scopes.append(String(decoding: word, as: UTF8.self))
        }
        return scopes
    }
}

extension JSONValue {
    /// Whether this payload grants `scope`. Allocates only for a string that is written with escapes.
    func grants(_ scope: Span<UInt8>) -> Bool {
        guard !scope.isEmpty, scope.hasNoSpace else { return false }
        if let granted = self["scope"], granted.lists(scope) { return true }
        guard let granted = self["scp"] else { return false }
        return granted.lists(scope)
    }

    private func lists(_ scope: Span<UInt8>) -> Bool {
        guard let string else { return anyElement { $0.string?.equals(scope) ?? false } }
        guard string.isEscaped else { return string.raw.hasWord(scope) }
        let unescaped = string.utf8
        return unescaped.span.hasWord(scope)
    }

    /// The scopes in the claim `name`. An element of an array that has a space is no scope.
    fileprivate func scopeWords(_ name: String) -> [[UInt8]] {
        guard let claim = self[name] else { return [] }
        if let string = claim.string { return string.utf8.split(separator: 0x20).map { Array($0) } }
        var words: [[UInt8]] = []
        claim.forEachElement { element in
            guard let word = element.string?.utf8, !word.isEmpty, !word.contains(0x20) else { return }
            words.append(word)
        }
        return words
    }

    /// The value as a list of strings: of one for a string, the strings among the elements of an array, none for anything else.
    var strings: [String] {
        if let string { return [string.string] }
        var strings: [String] = []
        forEachElement { if let string = $0.string { strings.append(string.string) } }
        return strings
    }
}

extension Span<UInt8> {
    fileprivate var hasNoSpace: Bool {
        for index in 0..<count where self[index] == 0x20 { return false }
        return true
    }

    /// Whether `word` is one of the parts between spaces.
    fileprivate func hasWord(_ word: Span<UInt8>) -> Bool {
        var start = 0
        while start < count {
            var end = start
            while end < count, self[end] != 0x20 { end += 1 }
            if extracting(start..<end).equals(word) { return true }
            start = end + 1
        }
        return false
    }
}
