/// What the strict reading of a path lets through. Each permission is a place where the gateway, Assay and the upstream may read a path
/// differently: permit it only where you know that all three agree. Applies where a route has a path condition, and to the routes of a host;
/// elsewhere the path decides nothing, and only its form is checked.
public struct PathRules: Hashable, Sendable {
    /// Whether a host's routes look at paths.
    public var isStrict = true
    /// `%2F` is data of a segment, and separates nothing. Some upstreams decode it to a slash.
    public var allowsEncodedSlashes = false
    /// `//`, also at the end. Some upstreams merge them.
    public var allowsEmptySegments = false
    /// `;name=value` is a part of its segment. Servlet containers remove it before they choose a handler.
    public var allowsParameters = false

    public init() {}
}
