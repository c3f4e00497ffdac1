/// Which session token replaced which, of the last ones.
struct Successors {
    private var pairs: [(old: String, new: String)] = []
    private static let most = 32

    /// The token at the end of the chain that begins with this one; itself where it was not replaced.
    func newest(of token: String) -> String {
        var newest = token
        for pair in pairs where pair.old == newest { newest = pair.new }
        return newest
    }

    mutating func note(_ old: String, _ new: String) {
        guard old != new else { return }
        pairs.append((old, new))
        if pairs.count > Self.most { pairs.removeFirst() }
    }
}
