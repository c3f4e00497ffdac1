package import IDaaSWire

extension AreaCodeList {
    /// The `country-codes` document.
    package func document() throws -> JSON { try JSON(encoding: self) }
}
