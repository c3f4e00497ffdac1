extension Mirror {
    /// A mirror without children: `dump` and `String(reflecting:)` show the description of `subject` and nothing that it stores.
    package init(redacted subject: some Any) {
        self.init(subject, children: EmptyCollection<Mirror.Child>(), ancestorRepresentation: .suppressed)
    }
}
