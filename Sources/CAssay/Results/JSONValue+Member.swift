internal import JWTCore

extension JSONValue {
    /// The member of an object with this name.
    @_lifetime(copy self)
    func member(named name: Span<UInt8>) -> JSONValue? {
        var place: Int?
        forEachMember { member, value in if member.equals(name) { place = value.index } }
        guard let place else { return nil }
        return JSONValue(text: text, tape: tape, index: place)
    }
}
