internal import CJWTKernels

/// The limits for one JSON text: the part of a token's limits that concerns JSON.
package struct JSONLimits: Hashable, Sendable, BitwiseCopyable {
    package var depth: Int
    package var members: Int
    package var values: Int
    package var stringBytes: Int
    package var numberBytes: Int

    package init(depth: Int, members: Int, values: Int, stringBytes: Int, numberBytes: Int) {
        self.depth = depth
        self.members = members
        self.values = values
        self.stringBytes = stringBytes
        self.numberBytes = numberBytes
    }
}

extension JSONLimits {
    var kernel: cjwt_json_limits {
        cjwt_json_limits(
            depth: Int64(depth), members: Int64(members), values: Int64(values), string_bytes: Int64(stringBytes),
            number_bytes: Int64(numberBytes))
    }
}
