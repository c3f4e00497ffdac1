#if Gateway
internal import Gateway

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// An element of `include`: the path of a file, or a pattern of paths (glob(7)).
struct IncludePattern: Sendable {
    let place: SettingsPlace
    /// As `include` has it.
    private let text: String
    /// Nil: that of the process.
    private let folder: String?

    /// With the folder that it counts from.
    var path: String { folder.map { SettingsPath.path(text, in: $0) } ?? text }

    /// The elements of `include` in a configuration; none, with a fault, for a setting of another kind.
    ///
    /// - Parameter folder: relative paths count from it; nil: from the folder of the process.
    static func list(in root: SettingsNode, folder: String?, _ faults: FaultList) -> [IncludePattern] {
        guard case .section(let members) = root.content, let member = members.first(where: { $0.name == "include" }) else { return [] }
        let elements =
            if case .list(let elements) = member.value.content { elements.map { ($0, $0.place) } } else { [(member.value, member.place)] }
        if elements.isEmpty {
            faults.add(member.place, .wrongKind, "`include`: the list is empty; write its paths, or leave the setting out")
        }
        return elements.compactMap { element, place in
            guard case .text(let text, _) = element.content, !text.isEmpty, !text.utf8.contains(0) else {
                faults.add(place, .wrongKind, "`include`: the path of a file is expected, or a pattern such as conf.d/*.yaml")
                return nil
            }
            return IncludePattern(place: place, text: text, folder: folder)
        }
    }

    /// The same of a file; none where it cannot be read.
    static func list(ofFile path: String, environment: [String: String]?) -> [IncludePattern] {
        guard let text = try? SettingsFile.text(path), let root = try? SettingsNode.document(text) else { return [] }
        let faults = FaultList()
        var expansion = VariableExpansion(environment, faults)
        return list(in: expansion.expand(root), folder: SettingsFile.namedFolder(of: path), faults)
    }

    /// The paths of its files, in the byte order of their names. A path that is no pattern is its own only one, also without a file there.
    ///
    /// - Throws: `SettingsFault` for a folder that is not there or cannot be read: its files would silently be missing.
    func paths() throws(SettingsFault) -> [String] {
        guard text.contains(where: Self.isWildcard) else { return [path] }
        let literal = text.prefix { !Self.isWildcard($0) }, start = literal.lastIndex(of: "/").map { String(literal[...$0]) } ?? "."
        // The configuration's own folder may have a wildcard in its name.
        let pattern = folder.map { SettingsPath.path(text, in: Self.escaped($0)) } ?? text
        guard SettingsFile.isFolder(folder.map { SettingsPath.path(start, in: $0) } ?? start), let found = Self.matches(pattern) else {
            throw SettingsFault(place, .unreadable, "`include`: a folder of \(path) is not there, or cannot be read")
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func isWildcard(_ character: Character) -> Bool { ["*", "?", "["].contains(character) }

    private static func escaped(_ folder: String) -> String {
        folder.map { isWildcard($0) || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }

    /// Nil where a folder or a name cannot be read.
    private static func matches(_ pattern: String) -> [String]? {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        let status = unsafe glob(pattern, GLOB_ERR | GLOB_NOSORT, nil, &found)
        guard status != GLOB_NOMATCH else { return [] }
        guard status == 0 else { return nil }
        var paths: [String] = []
        for index in unsafe 0..<Int(found.gl_pathc) {
            // SAFETY: glob(3) gives `gl_pathc` strings, which are copied before globfree(3).
            guard let path = unsafe found.gl_pathv[index], let text = unsafe String(validatingCString: path) else { return nil }
            paths.append(text)
        }
        return paths
    }
}
#endif
