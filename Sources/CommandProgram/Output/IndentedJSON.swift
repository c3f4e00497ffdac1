internal import JWTCore

/// A value as a JSON document in lines, with its members sorted by name, as Foundation's encoder writes them. The argument parser's functions
/// call it in the programs that scripts/command.sh links.
@_silgen_name("commandprogram_indented_json")
package func indentedJSON(_ value: any Encodable) -> String {
    guard let tree = try? JSONTree(encoding: value) else { return "" }
    return indented(tree, "")
}

private func indented(_ tree: JSONTree, _ indent: String) -> String {
    let inner = indent + "  "
    switch tree {
    case .array(let elements):
        let lines = elements.map { inner + indented($0, inner) }
        return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members):
        let lines = members.sorted { $0.key < $1.key }.map { "\(inner)\(text(.string($0.key))) : \(indented($0.value, inner))" }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    default: return text(tree)
    }
}

/// With escaped slashes.
private func text(_ scalar: JSONTree) -> String {
    String(decoding: scalar.json.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
}
