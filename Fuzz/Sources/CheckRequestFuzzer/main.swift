import FuzzInput
import Gateway
import GatewayServer

/// Fuzzes Envoy's messages: each is refused, or gives facts with a method and a target, whose bytes are all in the message. The framing of
/// gRPC and the health check read the same bytes.
Fuzzer.run { message in
    checkFraming(message)
    do throws(ProtobufFault) {
        let facts = try CheckRequest(decoding: message.span, readsClient: true).facts
        precondition(!facts.method.isEmpty && !facts.target.isEmpty)
        // U+FFFD has three bytes and may stand for one of the message, in values only.
        let size = facts.fields.reduce(facts.method.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count / 3 }
        precondition(size <= message.count && facts.fields.count <= 1_024 && facts.context.count <= 256)
        respond(to: facts)
    } catch {
        ReachedCodes.note("protobuf.\(error)")
    }
}

func checkFraming(_ body: [UInt8]) {
    do throws(GRPCStatus) {
        let range = try LengthPrefixedMessage.range(in: body.span)
        precondition(range == 5..<body.count, "a message that is not the whole body")
        precondition(LengthPrefixedMessage.prefix(ofBytes: range.count) == Array(body[..<5]), "another prefix")
        _ = try HealthCheck.response(to: body.span.extracting(range), isReady: true)
    } catch {
        ReachedCodes.note("grpc.\(error)")
    }
}

/// A response with the request's own texts can be read back.
func respond(to facts: RequestFacts) {
    let denial = Denial(policy: facts.host, reason: .malformedRequest, status: 400, challenge: facts.target, retryAfter: .milliseconds(1))
    let admission = Admission(policy: facts.method, fields: facts.fields, removed: [facts.host], provider: nil, waived: denial)
    for decision in [Decision.denied(denial), .allowed(admission)] {
        let bytes = CheckResponse(decision).bytes
        do throws(ProtobufFault) {
            let numbers = try fields(bytes)
            precondition(numbers.allSatisfy { (1...4).contains($0) }, "a response with an unknown field")
        } catch {
            preconditionFailure("a response that is no message")
        }
    }
}

/// The numbers of a message's fields.
func fields(_ message: [UInt8]) throws(ProtobufFault) -> [UInt32] {
    var reader = MessageReader(message.span)
    var numbers: [UInt32] = []
    while let field = try reader.next() { numbers.append(field.number) }
    return numbers
}
