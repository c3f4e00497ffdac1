internal import Yams

/// Reads settings from YAML. An absent setting has its default. An unknown name is refused, so that a misspelt limit does not silently keep
/// its default.
package enum SettingsText {
    /// - Throws: `ConfigurationError` with the setting's path.
    package static func settings<Settings: Codable>(in text: String, over defaults: Settings) throws -> Settings {
        let given: Node?
        do {
            given = try Yams.compose(yaml: text)
        } catch {
            throw ConfigurationError("the configuration is not YAML: \(error)")
        }
        guard let known = try Yams.compose(yaml: YAMLEncoder().encode(defaults)) else {
            throw ConfigurationError("there is nothing to configure")
        }
        let merged = try given.map { try merge($0, over: known, at: []) } ?? known
        do {
            return try YAMLDecoder().decode(Settings.self, from: merged)
        } catch let error as DecodingError {
            throw ConfigurationError(describe(error))
        }
    }

    private static func merge(_ given: Node, over known: Node, at path: [String]) throws -> Node {
        guard var merged = known.mapping else { return given }
        // A section is null if all its settings are commented out.
        if given.null != nil { return known }
        guard let mapping = given.mapping else { throw ConfigurationError("\(name(path)): settings are expected here") }
        for (key, value) in mapping {
            guard let name = key.string, let index = merged.index(forKey: Node(name)) else {
                throw ConfigurationError("\(self.name(path + [key.string ?? "?"])): there is no such setting")
            }
            merged[Node(name)] = try merge(value, over: merged[index].value, at: path + [name])
        }
        return .mapping(merged)
    }

    private static func name(_ path: [String]) -> String { path.isEmpty ? "the configuration" : path.joined(separator: ".") }

    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(name(context.codingPath.map(\.stringValue))): expected \(type)"
        case .keyNotFound(let key, let context): "\(name(context.codingPath.map(\.stringValue) + [key.stringValue])): missing"
        case .dataCorrupted(let context): "\(name(context.codingPath.map(\.stringValue))): not a value that is known here"
        @unknown default: "the configuration cannot be read"
        }
    }
}
