#if Gateway
package import Gateway
internal import JWTCore

/// Reads the file with revocations: a list, each entry with one of `kid`, `sub`, `jti`, `sid` and `issuedBefore`, and with an `issuer` or
/// for all issuers.
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
        let faults = FaultList()
        let root: SettingsNode
        do {
            root = try SettingsNode.document(yaml)
        } catch {
            throw SettingsFailure([error])
        }
        guard let section = SettingsSection(root, "", names: ["revocations"], mayBeEmpty: ["revocations"], faults) else {
            throw SettingsFailure(faults.faults)
        }
        // A program that writes the file may have failed.
        if !section.stands("revocations") {
            faults.add(1, .missingSetting, "`revocations`: is missing; a list without an entry is `revocations: []`")
        }
        let entries = section.elements("revocations").compactMap { node, path -> RevocationList.Entry? in
            guard let entry = SettingsSection(node, path, names: ["issuer"] + kinds, faults) else { return nil }
            return subject(entry).map { RevocationList.Entry(issuer: entry.text("issuer"), $0) }
        }
        guard faults.faults.isEmpty else { throw SettingsFailure(faults.faults) }
        return RevocationList(entries)
    }

    private static let kinds = ["kid", "sub", "jti", "sid", "issuedBefore"]

    private static func subject(_ entry: SettingsSection) -> RevocationList.Subject? {
        guard let kind = entry.one(of: kinds) else { return nil }
        if kind == "issuedBefore" {
            return entry.integer(kind, 0...253_402_300_799).map { .issuedBefore(NumericDate(seconds: Int64($0))) }
        }
        guard let text = entry.text(kind) else { return nil }
        switch kind {
        case "kid": return .keyID(text)
        case "sub": return .subject(text)
        case "jti": return .tokenID(text)
        default: return .sessionID(text)
        }
    }
}
#endif
