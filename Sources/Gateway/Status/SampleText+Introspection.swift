extension SampleText {
    /// The introspections by provider.
    package mutating func append(_ introspections: [IntrospectionStatus]) {
        guard !introspections.isEmpty else { return }
        let requests = "assay_gateway_introspections_total"
        type(requests, "counter")
        for one in introspections {
            for (result, count) in one.results.sorted(by: { $0.key < $1.key }) {
                sample(requests, count, ["provider": one.provider, "result": result])
            }
        }
        type("assay_gateway_introspections_shed_total", "counter")
        for one in introspections { sample("assay_gateway_introspections_shed_total", one.shed, ["provider": one.provider]) }
        gauge("assay_gateway_introspected_tokens", introspections, \.tokens)
        gauge("assay_gateway_introspected_bytes", introspections, \.bytes)
        gauge("assay_gateway_introspections_under_way", introspections, \.underWay)
    }

    private mutating func gauge(_ name: String, _ introspections: [IntrospectionStatus], _ value: KeyPath<IntrospectionStatus, Int>) {
        type(name, "gauge")
        for one in introspections { sample(name, one[keyPath: value], ["provider": one.provider]) }
    }
}
