#if IDaaS
internal import Foundation

extension AreaCodes: Codable {
    private enum CodingKeys: String, CodingKey {
        case phoneAreaCodeDefinitions, preferredAreaCode
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            values.decode([AreaCode].self, forKey: .phoneAreaCodeDefinitions),
            preferred: values.decode(String.self, forKey: .preferredAreaCode))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(definitions, forKey: .phoneAreaCodeDefinitions)
        try values.encode(preferred, forKey: .preferredAreaCode)
    }

    /// The document of `country-codes`.
    package func document() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
#endif
