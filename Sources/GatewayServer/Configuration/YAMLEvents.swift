#if Gateway
internal import CYAML
internal import Gateway

/// The events of a YAML text, one after the other, as libyaml reads them.
@safe
final class YAMLEvents {
    struct Event {
        let kind: Kind
        /// Counted from one.
        let line: Int
        let hasAnchor: Bool
    }

    enum Kind: Equatable {
        case alias, listStart, listEnd, sectionStart, sectionEnd, streamEnd
        /// A scalar, and whether it is in quotation marks or a block.
        case text(String, isQuoted: Bool)
        /// The start or the end of the stream's start or of a document.
        case border
    }

    /// The path of an included file; nil for the configuration's own.
    let file: String?
    // The parser keeps its own address and that of the text.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String, file: String? = nil) throws(SettingsFault) {
        self.file = file
        unsafe self.text = .allocate(capacity: text.utf8.count)
        _ = unsafe self.text.initialize(fromContentsOf: text.utf8)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else { throw Self.unreadable }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// - Throws: `SettingsFault` where the text is not YAML.
    func next() throws(SettingsFault) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe Self.fault(parser.pointee) }
        defer { unsafe yaml_event_delete(&event) }
        let line = unsafe event.start_mark.line + 1
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: return Event(kind: .streamEnd, line: line, hasAnchor: false)
        case YAML_ALIAS_EVENT: return Event(kind: .alias, line: line, hasAnchor: true)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            return unsafe Event(kind: Self.text(of: scalar.value, scalar.length, scalar.style), line: line, hasAnchor: scalar.anchor != nil)
        case YAML_SEQUENCE_START_EVENT:
            return unsafe Event(kind: .listStart, line: line, hasAnchor: event.data.sequence_start.anchor != nil)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, line: line, hasAnchor: false)
        case YAML_MAPPING_START_EVENT:
            return unsafe Event(kind: .sectionStart, line: line, hasAnchor: event.data.mapping_start.anchor != nil)
        case YAML_MAPPING_END_EVENT: return Event(kind: .sectionEnd, line: line, hasAnchor: false)
        default: return Event(kind: .border, line: line, hasAnchor: false)
        }
    }

    private static func text(of value: UnsafeMutablePointer<UInt8>?, _ count: Int, _ style: yaml_scalar_style_t) -> Kind {
        // SAFETY: libyaml's scalar has `count` bytes.
        let bytes = unsafe UnsafeBufferPointer(start: value, count: count)
        return .text(
            unsafe String(decoding: bytes, as: UTF8.self), isQuoted: style != YAML_PLAIN_SCALAR_STYLE && style != YAML_ANY_SCALAR_STYLE)
    }

    private static func fault(_ parser: yaml_parser_t) -> SettingsFault {
        // SAFETY: a problem is a constant text of libyaml.
        guard let problem = unsafe parser.problem.map({ unsafe String(cString: $0) }) else { return unreadable }
        switch unsafe parser.error {
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR, YAML_COMPOSER_ERROR:
            return unsafe SettingsFault(line: parser.problem_mark.line + 1, .notYAML, "not YAML: \(problem)")
        case YAML_READER_ERROR: return SettingsFault(line: 0, .notYAML, "not YAML: \(problem)")
        default: return unreadable
        }
    }

    private static let unreadable = SettingsFault(line: 0, .notYAML, "the file is not YAML in UTF-8")
}
#endif
