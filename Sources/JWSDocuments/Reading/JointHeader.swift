internal import JWTCore

/// The JOSE header of a signature: the members of the protected and of the unprotected header together (RFC 7515 section 4).
struct JointHeader {
    let place: Int
    let limits: TokenLimits
    private var names: Set<[UInt8]> = []
    private(set) var unprotectedNames: Set<[UInt8]> = []
    private(set) var isUnencoded = false
    private(set) var keyID: KeyIDHash?
    private var members: [UInt8] = []

    init(place: Int, limits: TokenLimits) {
        self.place = place
        self.limits = limits
    }

    var count: Int { names.count }

    var json: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

    /// - Throws: `malformed_document`.
    mutating func addProtected(_ text: [UInt8]) throws(DocumentError) {
        let header = try parsed(text)
        guard header.root.isObject, header.root.count > 0 else { throw DocumentError(.malformedDocument, signature: place) }
        isUnencoded = header.root["b64"]?.bool == false
        header.root.forEachMember { name, value in add(name, value) }
    }

    /// - Throws: `malformed_document`, `unprotected_parameter`, `header_overlap`.
    mutating func addUnprotected(_ header: borrowing JSONValue) throws(DocumentError) {
        guard header.isObject, header.count > 0 else { throw DocumentError(.malformedDocument, signature: place) }
        try header.forEachMember { name, value throws(DocumentError) in
            // RFC 7515 section 4.1.11 and RFC 7797 section 3: only what is signed can say how to read what is signed.
            let isUnprotectable = name.equals("crit") || name.equals("b64")
            guard !isUnprotectable else { throw DocumentError(.unprotectedParameter, signature: place) }
            guard !names.contains(name.utf8) else { throw DocumentError(.headerOverlap, signature: place) }
            unprotectedNames.insert(name.utf8)
            add(name, value)
        }
    }

    private mutating func add(_ name: borrowing JSONString, _ value: borrowing JSONValue) {
        if !names.isEmpty { members.append(UInt8(ascii: ",")) }
        names.insert(name.utf8)
        if name.equals("kid"), let text = value.string { keyID = KeyIDHash(text) }
        members.append(UInt8(ascii: "\""))
        members += Array(copying: name.raw)
        members += "\":".utf8
        let isString = value.string != nil
        if isString { members.append(UInt8(ascii: "\"")) }
        members += Array(copying: value.raw)
        if isString { members.append(UInt8(ascii: "\"")) }
    }

    private func parsed(_ text: [UInt8]) throws(DocumentError) -> ParsedJSON {
        do throws(VerificationError) {
            guard text.count <= limits.headerBytes else { throw VerificationError(.tokenTooLarge) }
            return try ParsedJSON(text, limits: limits.headerJSON)
        } catch {
            throw DocumentError(.malformedDocument, signature: place, cause: error.withoutOffset)
        }
    }
}
