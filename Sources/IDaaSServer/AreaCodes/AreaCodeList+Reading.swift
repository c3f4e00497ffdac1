package import IDaaSWire

extension AreaCodeList {
    /// Reads the number in a request. A number outside the list is refused before any message is sent, which limits toll fraud.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1001` for an empty text, `IDAAS.SDK.COMMON.1002` for a text that is not a number of a listed country;
    ///   {0} is `parameter`.
    package func number(of text: String, parameter: String = WireMember.mobile) throws(ServiceError) -> MobileNumber {
        guard !text.isEmpty else { throw ServiceError(.missingParameter, parameter) }
        guard let number = number(exactly: text) else { throw ServiceError(.invalidFormat, parameter) }
        return number
    }
}
