#if Gateway
internal import Gateway
internal import JWTCore

/// Reads the file with revocations: a list, each entry with one of `kid`, `sub`, `jti`, `sid` and `issuedBefore`, and with an `issuer` or
/// for all issuers.
enum RevocationFile {
    /// - Throws: ``SettingsFailure`` with every fault.
    static func read(_ path: String) throws(SettingsFailure) -> RevocationList {
        do {
            return try read(yaml: try SettingsFile.text(path))
        } catch let fault as SettingsFault {
            throw SettingsFailure([fault])
        } catch let failure as SettingsFailure {
            throw failure
        } catch {
            throw SettingsFailure([SettingsFault(line: 0, .unreadable, "\(path) cannot be read")])
        }
    }

    static func read(yaml: String) throws -> RevocationList {
        let faults = FaultList()
        let root = try SettingsNode.document(yaml)
        guard let section = SettingsSection(root, "", names: ["revocations"], faults) else { throw SettingsFailure(faults.faults) }
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
