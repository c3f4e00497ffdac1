internal import JWTCore

/// Puts the claims of a presentation together from the issuer's payload and the disclosures (RFC 9901 section 7.1 steps 3 to 5). Each
/// disclosure is used once: its digest may be there once.
struct ClaimsAssembly {
    private let disclosures: [Disclosure]
    /// The disclosure of each digest.
    private let places: [[UInt8]: Int]
    private let plain: Set<[UInt8]>
    private let whole: Set<[UInt8]>
    private let mostDepth: Int
    /// Every digest that was met, of a disclosure or not.
    private var digests: Set<[UInt8]> = []
    private var used = 0
    private var text: [UInt8] = []

    /// - Parameters:
    ///   - disclosures: those of the presentation.
    ///   - digest: how their digests are made.
    ///   - plain: the names that no disclosure at the top level may have.
    ///   - whole: the names at the top level whose values have no digest within.
    ///   - depth: the most nesting of containers, including the outermost.
    /// - Throws: `duplicate_disclosure`.
    init(
        _ disclosures: [Disclosure], _ digest: DisclosureDigest, plain: Set<[UInt8]>, whole: Set<[UInt8]>, depth: Int
    ) throws(PresentationError) {
        var places: [[UInt8]: Int] = [:]
        for (place, disclosure) in disclosures.enumerated() {
            guard places.updateValue(place, forKey: try digest.text(of: disclosure.text.span)) == nil else {
                throw PresentationError(.duplicateDisclosure)
            }
        }
        self.disclosures = disclosures
        self.places = places
        self.plain = plain
        self.whole = whole
        // Values are written by recursion, and a thread's stack has an end, whatever the limits say.
        mostDepth = min(depth, 128)
    }

    /// The claims as JSON. Called once.
    ///
    /// - Throws: `invalid_digests`, `duplicate_digest`, `invalid_disclosure`, `forbidden_disclosure`, `duplicate_claim`,
    ///   `unused_disclosure`; `issuer_token_refused` with `nesting_too_deep`.
    mutating func text(from payload: borrowing JSONValue) throws(PresentationError) -> [UInt8] {
        try write(payload, depth: 0)
        guard used == disclosures.count else { throw PresentationError(.unusedDisclosure) }
        return text
    }

    // Values

    /// - Parameter depth: the number of containers around the value.
    private mutating func write(_ value: borrowing JSONValue, depth: Int) throws(PresentationError) {
        if value.isObject {
            try checkDepth(depth)
            try writeObject(value, depth: depth)
        } else if value.isArray {
            try checkDepth(depth)
            try writeArray(value, depth: depth)
        } else if value.string != nil {
            writeQuoted(Array(copying: value.raw))
        } else {
            text += Array(copying: value.raw)
        }
    }

    private func checkDepth(_ depth: Int) throws(PresentationError) {
        guard depth < mostDepth else { throw PresentationError(.issuerTokenRefused, cause: VerificationError(.nestingTooDeep)) }
    }

    private mutating func writeObject(_ object: borrowing JSONValue, depth: Int) throws(PresentationError) {
        var names: Set<[UInt8]> = []
        text.append(UInt8(ascii: "{"))
        try object.forEachMember { name, value throws(PresentationError) in
            if name.equals("_sd") || depth == 0 && name.equals("_sd_alg") { return }
            guard !name.equals("..."), !name.equals("_sd_alg") else { throw PresentationError(.invalidDigests) }
            writeSeparator(isFirst: names.isEmpty)
            names.insert(name.utf8)
            let met = digests.count
            try writeMember(Array(copying: name.raw), value, depth: depth)
            let isWhole = digests.count == met || depth > 0 || !whole.contains(name.utf8)
            guard isWhole else { throw PresentationError(.invalidDigests) }
        }
        if let digests = object["_sd"] { try writeDisclosed(digests, beside: &names, depth: depth) }
        text.append(UInt8(ascii: "}"))
    }

    private mutating func writeArray(_ array: borrowing JSONValue, depth: Int) throws(PresentationError) {
        var isFirst = true
        text.append(UInt8(ascii: "["))
        try array.forEachElement { element throws(PresentationError) in
            if let marker = element["..."] {
                guard element.count == 1 else { throw PresentationError(.invalidDigests) }
                guard let disclosure = try disclosure(of: marker) else { return }
                guard disclosure.name == nil else { throw PresentationError(.invalidDisclosure) }
                writeSeparator(isFirst: isFirst)
                try write(disclosure.value, depth: depth + 1)
            } else {
                writeSeparator(isFirst: isFirst)
                try write(element, depth: depth + 1)
            }
            isFirst = false
        }
        text.append(UInt8(ascii: "]"))
    }

    // Disclosures

    /// - Parameter names: the names of the object's members, to which those of the disclosures are added.
    private mutating func writeDisclosed(
        _ list: borrowing JSONValue, beside names: inout Set<[UInt8]>, depth: Int
    ) throws(PresentationError) {
        guard list.isArray else { throw PresentationError(.invalidDigests) }
        try list.forEachElement { element throws(PresentationError) in
            guard let disclosure = try disclosure(of: element) else { return }
            guard let name = disclosure.name else { throw PresentationError(.invalidDisclosure) }
            guard !isForbidden(name, depth: depth) else { throw PresentationError(.forbiddenDisclosure) }
            let isFirst = names.isEmpty
            guard names.insert(name).inserted else { throw PresentationError(.duplicateClaim) }
            writeSeparator(isFirst: isFirst)
            try writeMember(disclosure.writtenName, disclosure.value, depth: depth)
        }
    }

    /// The disclosure of a digest; nil for a decoy, and for what the holder keeps to itself.
    ///
    /// - Throws: `invalid_digests`, `duplicate_digest`.
    private mutating func disclosure(of digest: borrowing JSONValue) throws(PresentationError) -> Disclosure? {
        guard let digest = digest.string?.utf8 else { throw PresentationError(.invalidDigests) }
        guard digests.insert(digest).inserted else { throw PresentationError(.duplicateDigest) }
        guard let place = places[digest] else { return nil }
        used += 1
        return disclosures[place]
    }

    private func isForbidden(_ name: [UInt8], depth: Int) -> Bool {
        Self.reserved.contains(name) || depth == 0 && plain.contains(name)
    }

    /// RFC 9901 section 7.1 step 3.3.2, and section 4.1.1 for `_sd_alg`.
    private static let reserved: Set<[UInt8]> = [Array("_sd".utf8), Array("...".utf8), Array("_sd_alg".utf8)]

    // Text

    private mutating func writeMember(_ name: [UInt8], _ value: borrowing JSONValue, depth: Int) throws(PresentationError) {
        writeQuoted(name)
        text.append(UInt8(ascii: ":"))
        try write(value, depth: depth + 1)
    }

    private mutating func writeSeparator(isFirst: Bool) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
    }

    /// - Parameter string: as it is written between the quotes.
    private mutating func writeQuoted(_ string: [UInt8]) {
        text.append(UInt8(ascii: "\""))
        text += string
        text.append(UInt8(ascii: "\""))
    }
}
