/// Reads `statusLists` of a provider.
enum StatusListSettings {
    private static let names = ["origins", "absentSeconds", "refusedSeconds", "staleSeconds", "maximumLists", "maximumMegabytes"]

    /// - Parameter issuer: its origin is the default.
    static func read(_ provider: SettingsSection, issuer: String) -> StatusListTerms? {
        guard let section = provider.section("statusLists", names: names) else { return nil }
        var terms = StatusListTerms(origins: section.texts("origins") ?? origin(of: issuer).map { [$0] } ?? [])
        if terms.origins.isEmpty, !section.has("origins") {
            section.fault("origins", .missingSetting, "has to say where the lists are, because the issuer is no https URL: `https://host`")
        }
        terms.absentGrace = section.seconds("absentSeconds", 0...3_600) ?? terms.absentGrace
        terms.refusedGrace = section.seconds("refusedSeconds", 0...3_600) ?? terms.refusedGrace
        terms.staleIfError = section.seconds("staleSeconds", 0...86_400) ?? terms.staleIfError
        terms.maximumLists = section.integer("maximumLists", 1...65_536) ?? terms.maximumLists
        terms.maximumBytes = section.integer("maximumMegabytes", 1...65_536).map { $0 << 20 } ?? terms.maximumBytes
        return terms
    }

    /// The issuer itself: only its origin is looked at.
    private static func origin(of issuer: String) -> String? { StatusListTerms.isOrigin(issuer) ? issuer : nil }
}
