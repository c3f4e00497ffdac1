internal import Foundation
package import IDaaSWire

extension AreaCodeList {
    /// The `country-codes` document.
    package func document() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}
