/// The methods of the service, by their paths.
package enum GRPCMethod: String, CaseIterable, Sendable {
    case check = "/envoy.service.auth.v3.Authorization/Check"
    /// For Envoy's health checks of the cluster (`grpc.health.v1`).
    case health = "/grpc.health.v1.Health/Check"
}
