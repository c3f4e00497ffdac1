/// A canonical Huffman code (RFC 1951 section 3.2.2): how many words of each length, and whose they are in order.
struct HuffmanCode {
    let counts: [Int]
    let symbols: [Int]

    init(_ lengths: [Int]) {
        counts = (0...15).map { length in length == 0 ? 0 : lengths.count { $0 == length } }
        symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }
}
