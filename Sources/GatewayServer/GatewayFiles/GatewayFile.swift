#if Gateway
internal import Gateway

/// A gateway's own file, made from the configuration of the service: what it asks, which fields it takes from the answer, and what it refuses.
public enum GatewayFile: String, CaseIterable, Sendable {
    case nginx
    /// What each server of nginx includes.
    case nginxServer = "nginx-server"
    /// What each location of nginx with an application includes.
    case nginxLocation = "nginx-location"
    case haproxy
    /// The script that HAProxy's file loads: the same for every configuration.
    case haproxyScript = "haproxy-lua"
    case caddy
    case traefik
    /// For the standalone mode.
    case apisix
    case envoyHTTP = "envoy-http"
    case envoyGRPC = "envoy-grpc"

    /// Why there is no file.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// The file for a configuration. The addresses where the gateway listens, and of its application, are examples.
    ///
    /// - Throws: if no listener is for this gateway, or the gateway cannot reach its listener.
    public func text(for configuration: ServiceConfiguration) throws(Failure) -> String {
        try lines(for: configuration).map(\.text).joined(separator: "\n")
    }

    /// A line of the file.
    struct Line {
        let text: String
        let kind: Kind

        enum Kind: CaseIterable {
            /// Its owner changes it as they like.
            case owners
            /// It stands at least once: for each server, site, frontend or route.
            case each
            /// It stands as often as in the printed file.
            case fixed

            /// Behind the line in a template.
            var mark: String {
                switch self {
                case .owners: "{{yours}}"
                case .each: "{{each}}"
                case .fixed: ""
                }
            }
        }
    }

    func lines(for configuration: ServiceConfiguration) throws(Failure) -> [Line] {
        let values = try values(for: configuration)
        let fields = configuration.upstreamFields.map(GatewayFileField.init)
        return template.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [Line] in
            let kind = Line.Kind.allCases.first { line.hasSuffix($0.mark) } ?? .fixed
            let text = String(line.dropLast(kind.mark.count))
            return Self.expanded(text, fields, values).map { Line(text: $0, kind: kind) }
        }
    }

    /// A line with its values in place of their names: once for each field where it names one, and not at all where a list is empty.
    private static func expanded(_ line: String, _ fields: [GatewayFileField], _ values: [String: String]) -> [String] {
        guard line.contains("{{") else { return [line] }
        guard !GatewayFileField.names.contains(where: { line.contains("{{\($0)}}") }) else {
            return fields.map { field in replaced(line, field.values) }
        }
        // A certificate is told only where a listener asks for it.
        if certificateNames.contains(where: { line.contains("{{\($0)}}") && values[$0] == nil }) { return [] }
        if fields.isEmpty, ["names", "Names", "Listed"].contains(where: { line.contains("{{\($0)}}") }) { return [] }
        return [replaced(line, values)]
    }

    private static func replaced(_ line: String, _ values: [String: String]) -> String {
        values.reduce(line) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    private var template: String {
        let bytes =
            switch self {
            case .nginx: PackageResources.nginx_conf
            case .nginxServer: PackageResources.assay_server_conf
            case .nginxLocation: PackageResources.assay_location_conf
            case .haproxy: PackageResources.haproxy_cfg
            case .haproxyScript: PackageResources.assay_lua
            case .caddy: PackageResources.Caddyfile
            case .traefik: PackageResources.dynamic_yaml
            case .apisix: PackageResources.apisix_yaml
            case .envoyHTTP: PackageResources.envoy_http_yaml
            case .envoyGRPC: PackageResources.envoy_grpc_yaml
            }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A field for the application, in the spellings of the files.
struct GatewayFileField {
    static let names = ["variable", "underscored", "Field"]
    /// nginx's variables that its file has beside those of fields.
    private static let taken: Set = ["status", "code", "challenge", "location", "retry", "answer", "port"]

    let values: [String: String]

    /// - Parameter name: in lower case.
    init(_ name: String) {
        let underscored = name.replacing("-", with: "_")
        let short = underscored.hasPrefix("x_auth_") ? String(underscored.dropFirst(7)) : ""
        values = [
            "underscored": underscored, "Field": Self.capitalized(name),
            "variable": short.isEmpty || Self.taken.contains(short) ? "assay_field_\(underscored)" : "assay_\(short)",
        ]
    }

    static func capitalized(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
            separator: "-")
    }
}

extension ServiceConfiguration {
    /// The fields that the service sets for the application, in lower case, in the order of the configuration, each once.
    var upstreamFields: [String] {
        decisions.providers.flatMap { $0.claimHeaders.map(\.name) + ($0.payloadHeader.map { [$0] } ?? []) }.map { $0.lowercased() }
            .reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }
}
#endif
