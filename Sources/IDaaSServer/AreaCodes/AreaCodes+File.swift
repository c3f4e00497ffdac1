#if IDaaS
internal import Foundation

extension AreaCodes {
    /// The configured list.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read, is no such document, or holds a list that cannot be used.
    static func configured(_ path: String) throws -> AreaCodes {
        guard !path.isEmpty else { return try standard() }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("areaCodes: \(path) cannot be read")
        }
        do {
            return try JSONDecoder().decode(AreaCodes.self, from: data)
        } catch is DecodingError {
            throw ConfigurationError("areaCodes: \(path) is not JSON of the form that country-codes serves")
        } catch {
            throw ConfigurationError(
                "areaCodes: \(path) cannot be used: a code of digits and a pattern for each country, the preferred one among them")
        }
    }
}
#endif
