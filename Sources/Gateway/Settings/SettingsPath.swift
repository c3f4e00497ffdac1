/// Paths of files in a configuration.
package enum SettingsPath {
    /// The path, counted from `folder` unless it begins at the root.
    package static func path(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }
}
