/// The fields of the upstream's request that a gateway's own file handles: it takes each from the service's answer, and lets none of the
/// client's through. The file names them with each question, in ``fieldName``; so a claim that a reload adds is refused until the file
/// follows, and not open until then.
///
/// The names stand in a list, in any case, separated by commas or blanks. A name that ends with `*` stands for all that begin with it.
package struct HandledFields: Hashable, Sendable {
    /// In lower case.
    static let fieldName = "x-assay-fields"

    /// As the file has it.
    package let text: String

    package init(_ text: String) { self.text = text }

    fileprivate var words: [Substring] { text.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }

    /// The names that stand for one field each, in lower case.
    package var names: [String] { words.map(String.init).filter { FieldNames.isPlain($0) && !FieldNames.isReserved($0) } }

    /// - Parameter name: in lower case.
    package func contains(_ name: String) -> Bool {
        words.contains { word in
            word.hasSuffix("*") ? name.utf8.starts(with: word.utf8.dropLast()) : word.utf8.elementsEqual(name.utf8)
        }
    }
}

extension HandledFields {
    /// Whether the list has this name itself. A beginning says nothing: HAProxy's file takes every field of an answer (`*`).
    ///
    /// - Parameter name: in lower case.
    fileprivate func hasName(_ name: String) -> Bool { words.contains { $0.utf8.elementsEqual(name.utf8) } }
}

extension GatewayProfile {
    /// Whether what stands in the field of the certificate is the gateway's. A file that names the fields that it handles names this one
    /// too, if it sets it: an older file, or one for another configuration, lets the client's own field through. Envoy removes the client's
    /// `x-forwarded-client-cert` unless it is told otherwise.
    ///
    /// - Parameter handled: the fields that the file says it handles; nil if it says nothing.
    package func setsCertificate(_ handled: HandledFields?) -> Bool {
        guard let certificateField, let handled, kind != .envoy else { return true }
        return handled.hasName(certificateField.name)
    }

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
    /// The fields of the configuration's claims that are not among `handled`, in lower case. While there is one, no request may pass.
    package func fields(without handled: HandledFields) -> [String] { decider.rules.fieldNames.filter { !handled.contains($0) } }

    /// The names among `handled` of fields that no claim of the configuration has.
    package func fields(only handled: HandledFields) -> [String] { handled.names.filter { !decider.rules.fieldNames.contains($0) } }
}
