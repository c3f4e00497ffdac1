extension String {
    /// Whether a U+0000 or another control character (general category Cc) is in this text.
    ///
    /// No string of a request may have one: SQLite ends a text at its first U+0000, and Swift does not, so a name would have as many
    /// spellings, each with limits of its own.
    package var hasControlCharacter: Bool { unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) } }
}
