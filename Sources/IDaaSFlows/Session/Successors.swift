/// Which session replaced which token, of the last ones.
struct Successors {
    private var pairs: [(old: String, new: Session)] = []
    private static let most = 32

    /// The session at the end of the chain that begins with this token; nil where it was not replaced.
    func newest(of token: String) -> Session? {
        var newest: Session?
        for pair in pairs where pair.old == newest?.sessionToken ?? token { newest = pair.new }
        return newest
    }

    mutating func note(_ old: String, _ new: Session) {
        guard old != new.sessionToken else { return }
        pairs.append((old, new))
        if pairs.count > Self.most { pairs.removeFirst() }
    }
}
