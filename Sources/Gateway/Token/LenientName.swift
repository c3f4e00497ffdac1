/// A name of a parameter or cookie as the most lenient reader takes it. PHP makes an underscore of a dot, a blank and an opening bracket,
/// cuts off the index of an array, and ignores blanks in front of a name (php.net, "Variables From External Sources").
enum LenientName {
    static func plain(_ name: some Sequence<UInt8>) -> [UInt8] {
        let trimmed = Array(name).drop { $0 == 0x20 }
        let isArray = trimmed.contains(UInt8(ascii: "]"))
        let end = isArray ? trimmed.firstIndex(of: UInt8(ascii: "[")) ?? trimmed.endIndex : trimmed.endIndex
        return trimmed[..<end].map { [UInt8(ascii: "."), 0x20, UInt8(ascii: "[")].contains($0) ? UInt8(ascii: "_") : $0 }
    }
}
