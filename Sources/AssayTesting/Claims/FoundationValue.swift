internal import JWTCore

/// The types of Foundation that its JSON encoder writes unlike their own `encode(to:)`. They are told by their names, because this module
/// does without Foundation.
enum FoundationValue {
    /// From 1970 to 2001, in seconds.
    private static let epoch = 978_307_200.0

    /// What the encoder writes for `value`, which encodes itself as `tree`: a date as seconds since 1970, bytes in Base64, a URL as a text.
    static func tree(_ value: any Encodable, _ tree: JSONTree) -> JSONTree {
        switch name(of: value) {
        case "Date"?: date(tree) ?? tree
        case "Data"?: bytes(tree).map { .string(Base64.text($0)) } ?? tree
        case "URL"?: tree["base"] == nil ? tree["relative"] ?? tree : .string("\(value)")
        case "Decimal"?: .number("\(value)")
        default: tree
        }
    }

    private static func name(of value: any Encodable) -> Substring? {
        let parts = String(reflecting: type(of: value)).split(separator: ".")
        guard parts.count == 2, parts[0] == "Foundation" || parts[0] == "FoundationEssentials" else { return nil }
        return parts[1]
    }

    private static func date(_ tree: JSONTree) -> JSONTree? {
        guard case .number(let text) = tree, let seconds = Double(text) else { return nil }
        return try? JSONTree(encoding: seconds + epoch)
    }

    private static func bytes(_ tree: JSONTree) -> [UInt8]? {
        // Without a byte, nothing tells an array from an object.
        let elements = tree.elements ?? []
        let bytes = elements.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) }
        return bytes.count == elements.count ? bytes : nil
    }
}
