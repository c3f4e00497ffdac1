internal import JWTCore

extension RequestView {
    private static let reading = ["GET", "HEAD"].map { Array($0.utf8) }
    private static let ofPrograms = ["authorization", "x-requested-with", "upgrade", "sec-websocket-key"].map { Array($0.utf8) }
    private static let mode = Array("sec-fetch-mode".utf8), navigate = Array("navigate".utf8), accept = Array("accept".utf8)
    private static let metadata = Array("sec-fetch-".utf8)

    /// The fields that ``isNavigation`` looks at, in lower case. A gateway that sends only some fields to the service sends these.
    package static let fieldsOfNavigations =
        ["accept", "authorization", "x-requested-with", "sec-websocket-key"] + ["mode", "dest", "site", "user"].map { "sec-fetch-\($0)" }

    /// Whether a browser navigates by this request: a person sees the answer, and not a page's script or a program.
    ///
    /// `Sec-Fetch-Mode` says so (Fetch Metadata). A browser that sends no field of this kind says by `Accept` that it shows HTML.
    var isNavigation: Bool {
        guard Self.reading.contains(where: { method.equals($0) }), !hasFieldOfPrograms else { return false }
        guard hasMetadata else { return acceptsHTML }
        guard let place = onlyField(Self.mode) else { return false }
        let value = fieldValue(place)
        return value.equals(Self.navigate, in: value.trimmed(value.indices))
    }

    /// Whether a program, a script or a WebSocket sends the request.
    private var hasFieldOfPrograms: Bool {
        for place in 0..<fieldCount {
            for name in Self.ofPrograms where isField(place, name) { return true }
        }
        return false
    }

    private var hasMetadata: Bool {
        for place in 0..<fieldCount {
            let name = fieldName(place)
            if name.count > Self.metadata.count, name.equals(lowercased: Self.metadata, in: 0..<Self.metadata.count) { return true }
        }
        return false
    }

    private var acceptsHTML: Bool {
        for place in 0..<fieldCount where isField(place, Self.accept) {
            if MediaRanges.acceptHTML(fieldValue(place)) { return true }
        }
        return false
    }
}

/// The media ranges of `Accept` (RFC 9110 section 12.5.1).
private enum MediaRanges {
    private static let html = Array("text/html".utf8)

    /// Whether the list names HTML itself: programs send `*/*`.
    static func acceptHTML(_ list: Span<UInt8>) -> Bool {
        var ranges = Parts(list.indices, separator: UInt8(ascii: ","))
        while let range = ranges.next(in: list) {
            var parameters = Parts(range, separator: UInt8(ascii: ";"))
            guard let type = parameters.next(in: list), list.equals(lowercased: html, in: list.trimmed(type)) else { continue }
            if hasWeight(list, &parameters) { return true }
        }
        return false
    }

    /// Whether the weight (RFC 9110 section 12.4.2) is above zero. One that cannot be read is not.
    private static func hasWeight(_ list: Span<UInt8>, _ parameters: inout Parts) -> Bool {
        while let part = parameters.next(in: list) {
            let parameter = list.trimmed(part)
            guard parameter.count > 2, list.equals(lowercased: weight, in: parameter.prefix(2)) else { continue }
            for place in parameter where list[place] > UInt8(ascii: "0") && list[place] <= UInt8(ascii: "9") { return true }
            return false
        }
        return true
    }

    private static let weight = Array("q=".utf8)
}
