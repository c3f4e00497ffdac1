#if Gateway
/// A file that is read again when it has changed.
///
/// It counts as changed once two looks in a row see the same new version: an editor may still be writing at the first. The files that a
/// configuration includes belong to it: one that changes, comes or goes is a new version.
package struct WatchedFile: Sendable {
    let path: String
    private let includes: [IncludePattern]
    /// The version that was read last.
    private var known: Version
    private var candidate: Version?
    private var isMissed = false

    /// Make it before the file is read: what changes afterwards is a new version.
    package init(_ path: String) { self.init(path, includes: []) }

    /// The same for a configuration with the files that it includes.
    package init(configuration path: String, environment: [String: String]?) {
        // A change of the file after this look is a new version of it, so what it includes then is looked for again.
        let own = SettingsFile.version(path)
        self.init(path, includes: IncludePattern.list(ofFile: path, environment: environment))
        known.own = own
    }

    private init(_ path: String, includes: [IncludePattern]) {
        self.path = path
        self.includes = includes
        known = Version(path, includes)
    }

    private struct Version: Hashable {
        /// Empty for an absent file.
        var own: [Int64]
        var included: [String: [Int64]] = [:]

        init(_ path: String, _ includes: [IncludePattern]) {
            own = SettingsFile.version(path)
            for pattern in includes {
                // A folder that cannot be read has no file that could be.
                guard let paths = try? pattern.paths() else { continue }
                for path in paths { included[path] = SettingsFile.version(path) }
            }
        }
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
        let version = Version(path, includes)
        defer { candidate = version }
        guard version == candidate else { return .unchanged }
        if version.own.isEmpty {
            guard !isMissed else { return .unchanged }
            isMissed = true
            known.own = []
            return .gone
        }
        isMissed = false
        return version != known ? .changed : .unchanged
    }
}
#endif
