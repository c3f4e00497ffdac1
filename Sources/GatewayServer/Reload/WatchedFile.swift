#if Gateway
/// A file that is read again when it has changed.
///
/// It counts as changed once two looks in a row see the same new version: an editor may still be writing at the first.
package struct WatchedFile: Sendable {
    let path: String
    /// The version that was read last.
    private var known: [Int64]
    private var candidate: [Int64]?

    /// Make it before the file is read: what changes afterwards is a new version.
    package init(_ path: String) {
        self.path = path
        known = SettingsFile.version(path)
    }

    /// Whether the file has a new version that it had at the last look already. A file that is gone is not a new version: it may be on its
    /// way to be replaced.
    package mutating func hasChanged() -> Bool {
        let version = SettingsFile.version(path)
        defer { candidate = version }
        return version != known && !version.isEmpty && version == candidate
    }
}
#endif
