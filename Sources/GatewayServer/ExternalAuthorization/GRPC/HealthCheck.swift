/// The messages of `grpc.health.v1`: `HealthCheckRequest { service = 1 }` and `HealthCheckResponse { status = 1 }`.
package enum HealthCheck {
    private static let services: Set = ["", "envoy.service.auth.v3.Authorization"]

    /// The answer to a request: `SERVING` is 1, `NOT_SERVING` is 2.
    ///
    /// - Throws: `notFound` for another service's name; `invalidArgument` if the message is malformed.
    package static func response(to message: Span<UInt8>, isReady: Bool) throws(GRPCStatus) -> [UInt8] {
        guard let service = try? Self.service(in: message) else { throw .invalidArgument }
        guard services.contains(service) else { throw .notFound }
        var writer = MessageWriter()
        writer.write(1, varint: isReady ? 1 : 2)
        return writer.bytes
    }

    private static func service(in message: Span<UInt8>) throws(ProtobufFault) -> String {
        var reader = MessageReader(message)
        var service = ""
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            try reader.once(field)
            service = try reader.text(field)
        }
        return service
    }
}
