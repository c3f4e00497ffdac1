/// The fields of the upstream's request that a gateway's own file handles: it takes each from the service's answer, and lets none of the
/// client's through. The file names them with each question, in ``fieldName``; so a claim that a reload adds is refused until the file
/// follows, and not open until then.
///
/// The names stand in a list, in any case, separated by commas or blanks. A name that ends with `*` stands for all that begin with it.
package struct HandledFields: Sendable {
    /// In lower case.
    static let fieldName = "x-assay-fields"

    private let names: [Substring.UTF8View]
    private let prefixes: [Substring.UTF8View]

    package init(_ text: String) {
        let words = text.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        names = words.filter { !$0.hasSuffix("*") }.map(\.utf8)
        prefixes = words.filter { $0.hasSuffix("*") }.map { $0.dropLast().utf8 }
    }

    /// - Parameter name: in lower case.
    package func contains(_ name: String) -> Bool {
        names.contains { $0.elementsEqual(name.utf8) } || prefixes.contains { name.utf8.starts(with: $0) }
    }
}

extension GatewayProfile {
    /// The fields that the gateway's file handles; nil if it does not say so. The file of Envoy of this project has always handled these.
    ///
    /// - Throws: `malformed_request` if the field is repeated.
    package func handledFields(_ request: ProfileRequest) throws(Denial) -> HandledFields? {
        let values = request.fields.filter { $0.name == HandledFields.fieldName }.map(\.value)
        guard values.count <= 1 else { throw Denial(.malformedRequest) }
        return (values.first ?? (kind == .envoy ? "x-auth-*" : nil)).map(HandledFields.init)
    }
}

extension DecisionCore {
    /// - Throws: `unhandled_field` if a claim of the configuration is sent in a field that is not among `handled`.
    package func checkFields(_ handled: HandledFields?) throws(Denial) {
        guard let handled, !rules.fieldNames.allSatisfy(handled.contains) else { return }
        throw Denial(.unhandledField)
    }
}
