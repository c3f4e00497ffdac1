internal import Foundation
package import IDaaSWire
internal import JWTCore

extension AreaCodeList {
    /// The `country-codes` document.
    package func document() throws -> JSON { try JSON(encoding: self) }

    /// The list in the file at `path`, or ``standard`` without a path.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read, has another format, or holds an unusable list.
    static func configured(_ path: String) throws -> AreaCodeList {
        guard !path.isEmpty else { return .standard }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("areaCodes: \(path) cannot be read")
        }
        guard let list = try? ParsedJSON(Array(data)).decode(AreaCodeList.self) else {
            throw ConfigurationError("areaCodes: \(path) is not JSON of the form that country-codes serves")
        }
        guard list.isUsable else {
            throw ConfigurationError(
                "areaCodes: \(path) cannot be used: each country needs a code of 1 to 8 digits and a pattern of the supported form, and the "
                    + "preferred country has to be in the list")
        }
        return list
    }

    /// Whether every country has a code and a pattern, and the preferred country is in the list.
    package var isUsable: Bool {
        definitions.contains { $0.country == preferredCountry }
            && definitions.allSatisfy { AreaCode.isCode($0.code) && $0.pattern != nil && !$0.mobileRegex.isEmpty }
    }
}
