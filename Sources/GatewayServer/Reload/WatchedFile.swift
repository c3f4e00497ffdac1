#if Gateway
/// A file that is read again when it has changed.
///
/// It counts as changed once two looks in a row see the same new version: an editor may still be writing at the first.
package struct WatchedFile: Sendable {
    let path: String
    /// The version that was read last.
    private var known: [Int64]
    private var candidate: [Int64]?
    private var isMissed = false

    /// Make it before the file is read: what changes afterwards is a new version.
    package init(_ path: String) {
        self.path = path
        known = SettingsFile.version(path)
    }

    /// What a look at the file finds.
    package enum Finding: Hashable, Sendable {
        case unchanged
        /// A new version, which the file had at the last look already.
        case changed
        /// The file was not there at the last look either: it is not on its way to be replaced. Found once; its return is a change.
        case gone
    }

    package mutating func look() -> Finding {
        let version = SettingsFile.version(path)
        defer { candidate = version }
        guard version == candidate else { return .unchanged }
        if version.isEmpty {
            guard !isMissed else { return .unchanged }
            (isMissed, known) = (true, [])
            return .gone
        }
        isMissed = false
        return version != known ? .changed : .unchanged
    }
}
#endif
