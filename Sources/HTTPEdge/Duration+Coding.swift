// Settings and records hold spans as whole seconds. Synthesised coding takes these functions instead of the standard library's, which write
// two integers, in each file that imports this module.
extension KeyedDecodingContainer {
    package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration { .seconds(try decode(Int64.self, forKey: key)) }
}

extension KeyedEncodingContainer {
    package mutating func encode(_ span: Duration, forKey key: Key) throws { try encode(span.components.seconds, forKey: key) }
}
