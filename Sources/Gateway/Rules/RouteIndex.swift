/// Finds the first route that matches, by hashes of paths and hosts: the cost of a request does not grow with the number of routes.
///
/// A hash only proposes routes, in their order; each is compared as a whole. What a request costs is bounded by the configuration: hosts that
/// no route has, and prefixes that are longer than the longest one of a route, are not looked up.
struct RouteIndex: Sendable {
    /// With so few routes a comparison of each costs less.
    private static let fewest = 8

    /// An open table. A slot without routes ends a search.
    private let slots: [Slot]
    /// The routes of each slot, in their order.
    private let positions: [Int]
    private let longestPath: Int
    /// The hashes of whole hosts, and of names behind wildcards.
    private let hosts: Set<UInt64>
    private let wildcards: Set<UInt64>

    private struct Slot {
        var hash: UInt64 = 0
        var routes = 0..<0
    }

    /// Nil where it would not pay.
    init?(_ routes: [RouteRules]) {
        guard routes.count > Self.fewest else { return nil }
        var proposed: [UInt64: [Int]] = [:]
        for (position, route) in routes.enumerated() {
            for hash in Set(route.hashes) { proposed[hash, default: []].append(position) }
        }
        var slots = [Slot](repeating: Slot(), count: 1 << (Int.bitWidth - (2 * proposed.count).leadingZeroBitCount)), positions: [Int] = []
        for (hash, routes) in proposed {
            var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while !slots[place].routes.isEmpty { place = (place + 1) & (slots.count - 1) }
            slots[place] = Slot(hash: hash, routes: positions.count..<positions.count + routes.count)
            positions += routes
        }
        self.slots = slots
        self.positions = positions
        longestPath = routes.map(\.pathCount).max() ?? 0
        let patterns = routes.flatMap(\.hosts)
        hosts = Set(patterns.filter { !$0.isWildcard }.map(\.textHash.value))
        wildcards = Set(patterns.filter(\.isWildcard).map(\.textHash.value))
    }

    /// The position of the first route that matches.
    ///
    /// - Parameter method: that of the request, or the one that a preflight asks for.
    func first(
        of request: RequestView, method: Span<UInt8>, _ target: TargetView, _ host: HostView?, _ routes: LentObjects<RouteRules>
    ) -> Int? {
        var search = Search(self, best: routes.count)
        search.look(under: .none, request, method, target, host, routes)
        if let host {
            var hash = TextHash(), place = host.text.count
            while place > 0 {
                place -= 1
                let byte = host.text[place]
                if byte == UInt8(ascii: "."), wildcards.contains(hash.value) {
                    search.look(under: .below(hash), request, method, target, host, routes)
                }
                hash.add(byte.lowercased)
            }
            if hosts.contains(hash.value) { search.look(under: .exactly(hash), request, method, target, host, routes) }
        }
        return search.best < routes.count ? search.best : nil
    }

    /// The search for one request.
    private struct Search {
        private let index: RouteIndex
        /// The position of the first match so far.
        private(set) var best: Int

        init(_ index: RouteIndex, best: Int) {
            self.index = index
            self.best = best
        }

        /// Looks for the routes with this host: those of every path, of each prefix, and of the whole path.
        mutating func look(
            under host: RouteHash.Host, _ request: RequestView, _ method: Span<UInt8>, _ target: TargetView, _ view: HostView?,
            _ routes: LentObjects<RouteRules>
        ) {
            compare(RouteHash(.any, host), request, method, target, view, routes)
            guard let path = target.path else { return }
            var hash = TextHash(), bytes = path.decoded, count = 0, next = bytes.next(in: path.raw)
            while let byte = next, count < index.longestPath {
                hash.add(byte)
                count += 1
                next = bytes.next(in: path.raw)
                guard byte == UInt8(ascii: "/") || next == UInt8(ascii: "/") || next == nil else { continue }
                compare(RouteHash(.prefix(hash), host), request, method, target, view, routes)
            }
            if next == nil { compare(RouteHash(.exact(hash), host), request, method, target, view, routes) }
        }

        private mutating func compare(
            _ hash: RouteHash, _ request: RequestView, _ method: Span<UInt8>, _ target: TargetView, _ host: HostView?,
            _ routes: LentObjects<RouteRules>
        ) {
            for place in index.routes(hash.value) {
                let position = index.positions[place]
                guard position < best else { return }
                if routes.lend(position, { $0.matches(request, method: method, target, host) }) { best = position }
            }
        }
    }

    /// The places in ``positions`` of the routes with this hash.
    private func routes(_ hash: UInt64) -> Range<Int> {
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while !slots[place].routes.isEmpty {
            if slots[place].hash == hash { return slots[place].routes }
            place = (place + 1) & (slots.count - 1)
        }
        return 0..<0
    }
}

/// The hash of a route's path and host.
struct RouteHash {
    let value: UInt64

    enum Path {
        case any
        case exact(TextHash)
        case prefix(TextHash)
    }

    enum Host {
        case none
        /// The bytes of the host from its end.
        case exactly(TextHash)
        /// The same of the name behind the wildcard.
        case below(TextHash)
    }

    init(_ path: Path, _ host: Host) {
        var value: UInt64
        switch path {
        case .any: value = 1
        case .exact(let hash): value = hash.value &* 2
        case .prefix(let hash): value = hash.value &* 2 &+ 1
        }
        switch host {
        case .none: break
        case .exactly(let hash): value ^= (hash.value &* 0x9e37_79b9_7f4a_7c15).byteSwapped
        case .below(let hash): value ^= (hash.value &* 0xc2b2_ae3d_27d4_eb4f).byteSwapped
        }
        value ^= value >> 32
        value = value &* 0x9e37_79b9_7f4a_7c15
        self.value = value ^ value >> 29
    }
}

/// The hash of a text, byte by byte (FNV-1a, with 64 bits).
struct TextHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}
