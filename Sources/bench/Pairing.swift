/// The elements of two runs that have the same key, and those that only one run has, in the order of their lists.
struct Pairing<Element> {
    let both: [(before: Element, now: Element)]
    let onlyBefore: [Element]
    let onlyNow: [Element]

    init(before: [Element], now: [Element], by key: (Element) -> String) {
        let earlier = Dictionary(before.map { (key($0), $0) }) { first, _ in first }
        let keys = Set(now.map(key))
        both = now.compactMap { element in earlier[key(element)].map { ($0, element) } }
        onlyBefore = before.filter { !keys.contains(key($0)) }
        onlyNow = now.filter { earlier[key($0)] == nil }
    }
}
