package import Gateway

/// A decision as Envoy's filter `ext_authz` reads it (`envoy.service.auth.v3.CheckResponse`).
///
///     CheckResponse { status = 1, denied_response = 2, ok_response = 3, dynamic_metadata = 4 }
///     google.rpc.Status { code = 1, message = 2 }
///     OkHttpResponse { headers = 2, headers_to_remove = 5, response_headers_to_add = 6, query_parameters_to_remove = 8 }
///     DeniedHttpResponse { status = 1, headers = 2 }      HttpStatus { code = 1 }
///     HeaderValueOption { header = 1, append_action = 3 }      HeaderValue { key = 1, value = 2 }
package struct CheckResponse: Sendable {
    /// The encoded message.
    package let bytes: [UInt8]

    package init(_ decision: Decision) {
        var writer = MessageWriter()
        switch decision {
        case .allowed(let admission): writer.write(admission)
        case .denied(let denial): writer.write(denial)
        }
        bytes = writer.bytes
    }
}

extension MessageWriter {
    /// The empty status is OK.
    fileprivate mutating func write(_ admission: Admission) {
        write(1) { _ in }
        write(3) {
            for field in admission.fields { $0.write(2, header: field) }
            for name in admission.removed { $0.write(5, text: name) }
            if let nonce = admission.proofNonce { $0.write(6, header: Field("dpop-nonce", nonce)) }
            for name in admission.removedParameters { $0.write(8, text: name) }
        }
        write(metadata: [("policy", admission.policy), ("provider", admission.provider), ("waived", admission.waived?.reason.code)])
    }

    fileprivate mutating func write(_ denial: Denial) {
        write(1) {
            $0.write(1, varint: GRPCStatus(refusal: denial.status).rawValue)
            $0.write(2, text: denial.reason.code)
        }
        write(2) {
            $0.write(1) { $0.write(1, varint: UInt64(denial.status)) }
            for field in denial.fields { $0.write(2, header: field) }
        }
        write(metadata: [("policy", denial.policy), ("code", denial.reason.code)])
    }

    /// A field that replaces all others of its name: `OVERWRITE_IF_EXISTS_OR_ADD` is 2.
    private mutating func write(_ number: UInt32, header field: Field) {
        write(number) {
            $0.write(1) {
                $0.write(1, text: field.name)
                $0.write(2, text: field.value)
            }
            $0.write(3, varint: 2)
        }
    }

    /// A `google.protobuf.Struct` of strings, for Envoy's access log.
    private mutating func write(metadata entries: [(name: String, value: String?)]) {
        write(4) {
            for case (let name, let value?) in entries {
                $0.write(1) {
                    $0.write(1, text: name)
                    $0.write(2) { $0.write(3, text: value) }
                }
            }
        }
    }
}

extension Denial {
    /// The fields of the answer to the client.
    fileprivate var fields: [Field] {
        var fields = [Field("x-assay-code", reason.code)]
        if let challenge { fields.append(Field("www-authenticate", challenge)) }
        if let proofNonce { fields.append(Field("dpop-nonce", proofNonce)) }
        if let location { fields += [Field("location", location), Field("cache-control", "no-store"), Self.vary] }
        if let retryAfter { fields.append(Field("retry-after", String(max(1, retryAfter.wholeSeconds)))) }
        return fields
    }
}

extension Duration {
    /// Rounded up: a client that comes back too early is refused again.
    fileprivate var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
