#if Gateway
package import Gateway

/// Reads the file with revocations.
package enum RevocationFile {
    /// - Throws: `SettingsFailure` with every fault.
    static func read(_ path: String) throws(SettingsFailure) -> RevocationList {
        let text: String
        do {
            text = try SettingsFile.text(path)
        } catch {
            throw SettingsFailure([error])
        }
        return try read(yaml: text)
    }

    /// - Throws: `SettingsFailure` with every fault.
    package static func read(yaml: String) throws(SettingsFailure) -> RevocationList {
        let root: SettingsNode
        do {
            root = try SettingsNode.document(yaml)
        } catch {
            throw SettingsFailure([error])
        }
        return try RevocationList(root)
    }
}
#endif
