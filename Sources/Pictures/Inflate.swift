/// Decompresses deflate (RFC 1951) in a zlib stream (RFC 1950).
struct Inflate {
    private let input: [UInt8]
    private let limit: Int
    private var next: Int
    private var bits = 0
    private var count = 0
    private var output: [UInt8] = []

    /// What `stream` holds, its checksum verified; nil if it is no such stream or holds more than `limit` bytes.
    static func zlib(_ stream: [UInt8], limit: Int) -> [UInt8]? {
        guard stream.count >= 6, stream[0] & 15 == 8, stream[1] & 32 == 0 else { return nil }
        guard (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0 else { return nil }
        var inflate = Inflate(input: stream, limit: limit, next: 2)
        guard inflate.blocks(), inflate.next + 4 <= stream.count else { return nil }
        let checksum = stream[inflate.next..<inflate.next + 4].reduce(0) { $0 << 8 | Int($1) }
        return checksum == adler(inflate.output) ? inflate.output : nil
    }

    private init(input: [UInt8], limit: Int, next: Int) {
        self.input = input
        self.limit = limit
        self.next = next
        output.reserveCapacity(limit)
    }

    private static func adler(_ bytes: [UInt8]) -> Int {
        let sums = bytes.reduce((low: 1, high: 0)) { sums, byte in
            let low = (sums.low + Int(byte)) % 65_521
            return (low, (sums.high + low) % 65_521)
        }
        return sums.high << 16 | sums.low
    }

    private mutating func blocks() -> Bool {
        var isLast = false
        while !isLast {
            guard let last = take(1), let type = take(2) else { return false }
            isLast = last == 1
            let isGood =
                switch type {
                case 0: stored()
                case 1: compressed(Self.fixedLengths, Self.fixedDistances)
                case 2: dynamic()
                default: false
                }
            guard isGood else { return false }
        }
        return true
    }

    /// So many bits, least significant first; nil where the input ends. Never more than seven stay behind.
    private mutating func take(_ wanted: Int) -> Int? {
        while count < wanted {
            guard next < input.count else { return nil }
            bits |= Int(input[next]) << count
            next += 1
            count += 8
        }
        defer {
            bits >>= wanted
            count -= wanted
        }
        return bits & (1 << wanted - 1)
    }

    private mutating func symbol(_ code: HuffmanCode) -> Int? {
        var (word, first, offset) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = take(1) else { return nil }
            word |= bit
            let used = code.counts[length]
            if word - first < used { return code.symbols[offset + word - first] }
            offset += used
            first = (first + used) << 1
            word <<= 1
        }
        return nil
    }

    private mutating func stored() -> Bool {
        _ = take(count)
        guard let length = take(16), let complement = take(16), length ^ complement == 0xffff else { return false }
        guard output.count + length <= limit else { return false }
        for _ in 0..<length {
            guard let byte = take(8) else { return false }
            output.append(UInt8(byte))
        }
        return true
    }

    private mutating func compressed(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
        while let symbol = symbol(literals) {
            if symbol == 256 { return true }
            guard symbol > 256 ? copy(symbol, distances) : append(UInt8(symbol)) else { return false }
        }
        return false
    }

    private mutating func append(_ byte: UInt8) -> Bool {
        guard output.count < limit else { return false }
        output.append(byte)
        return true
    }

    private mutating func copy(_ symbol: Int, _ distances: HuffmanCode) -> Bool {
        guard symbol <= 285, let length = length(symbol), let code = self.symbol(distances), code < 30 else { return false }
        let extra = max(code / 2 - 1, 0)
        guard let more = take(extra) else { return false }
        let distance = (code < 2 ? code : (2 + code % 2) << extra) + more + 1
        guard distance <= output.count, output.count + length <= limit else { return false }
        for _ in 0..<length { output.append(output[output.count - distance]) }
        return true
    }

    /// Section 3.2.5: four codes for every power of two.
    private mutating func length(_ symbol: Int) -> Int? {
        if symbol == 285 { return 258 }
        if symbol < 265 { return symbol - 254 }
        let extra = (symbol - 261) / 4
        return take(extra).map { ((4 + (symbol - 261) % 4) << extra) + $0 + 3 }
    }

    /// Section 3.2.7: the lengths of the codes are themselves in a code.
    private mutating func dynamic() -> Bool {
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        guard let literals = take(5), let distances = take(5), let codes = take(4) else { return false }
        var own = [Int](repeating: 0, count: 19)
        for place in order.prefix(codes + 4) {
            guard let length = take(3) else { return false }
            own[place] = length
        }
        guard let lengths = lengths(literals + distances + 258, HuffmanCode(own)) else { return false }
        return compressed(HuffmanCode(Array(lengths.prefix(literals + 257))), HuffmanCode(Array(lengths.dropFirst(literals + 257))))
    }

    private mutating func lengths(_ wanted: Int, _ code: HuffmanCode) -> [Int]? {
        var lengths: [Int] = []
        while lengths.count < wanted {
            guard let symbol = symbol(code) else { return nil }
            if symbol < 16 {
                lengths.append(symbol)
                continue
            }
            let (bits, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
            guard let more = take(bits), symbol != 16 || !lengths.isEmpty else { return nil }
            lengths += [Int](repeating: symbol == 16 ? lengths[lengths.count - 1] : 0, count: least + more)
        }
        return lengths.count == wanted ? lengths : nil
    }

    private static let fixedLengths = HuffmanCode(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8))
    private static let fixedDistances = HuffmanCode([Int](repeating: 5, count: 30))
}
