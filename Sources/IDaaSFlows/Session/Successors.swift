/// The sessions that replaced the most recent session tokens.
struct Successors {
    private var pairs: [(old: String, new: Session)] = []
    private static let most = 32

    /// The newest session in the chain that begins with this token; nil if the token was not replaced.
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
