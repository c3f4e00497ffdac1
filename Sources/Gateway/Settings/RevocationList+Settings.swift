internal import JWTCore

extension RevocationList {
    /// Reads a JSON object with `revocations`: a list, each entry with one of `kid`, `sub`, `jti`, `sid` and `issuedBefore`, or with
    /// `sub` and `issuedBefore`; with an `issuer` or for all issuers; and until a date (`until`) or for good.
    ///
    /// - Parameter json: UTF-8 of at most 1 MiB.
    /// - Throws: ``SettingsFailure`` with every fault.
    public init(json: Span<UInt8>) throws(SettingsFailure) {
        let root: SettingsNode
        do throws(SettingsFault) {
            root = try SettingsNode.document(json: json)
        } catch {
            throw SettingsFailure([error])
        }
        try self.init(root)
    }

    /// The same from a tree.
    package init(_ root: SettingsNode) throws(SettingsFailure) {
        let faults = FaultList()
        guard let section = SettingsSection(root, "", names: ["revocations"], mayBeEmpty: ["revocations"], faults) else {
            throw SettingsFailure(faults.faults)
        }
        // A program that writes the file may have failed.
        if !section.stands("revocations") {
            faults.add(SettingsPlace(line: 1), .missingSetting, "`revocations`: is missing; a list without an entry is `revocations: []`")
        }
        let entries = section.elements("revocations").compactMap { node, path -> RevocationList.Entry? in
            guard let entry = SettingsSection(node, path, names: ["issuer", "until"] + Self.kinds, faults) else { return nil }
            return Self.subject(entry).map {
                RevocationList.Entry(issuer: entry.text("issuer"), until: Self.date("until", entry), $0)
            }
        }
        guard faults.faults.isEmpty else { throw SettingsFailure(faults.faults) }
        self.init(entries)
    }

    private static let kinds = ["kid", "sub", "jti", "sid", "issuedBefore"]

    private static func subject(_ entry: SettingsSection) -> RevocationList.Subject? {
        if entry.has("sub"), entry.has("issuedBefore"), kinds.count(where: entry.has) == 2 {
            guard let name = entry.text("sub"), let before = date("issuedBefore", entry) else { return nil }
            return .subjectBefore(name, before)
        }
        guard let kind = entry.one(of: kinds) else { return nil }
        if kind == "issuedBefore" { return date(kind, entry).map { .issuedBefore($0) } }
        guard let text = entry.text(kind) else { return nil }
        switch kind {
        case "kid": return .keyID(text)
        case "sub": return .subject(text)
        case "jti": return .tokenID(text)
        default: return .sessionID(text)
        }
    }

    private static func date(_ setting: String, _ entry: SettingsSection) -> NumericDate? {
        entry.integer(setting, 0...253_402_300_799).map { NumericDate(seconds: Int64($0)) }
    }
}
