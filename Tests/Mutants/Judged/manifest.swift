// Tests/Mutants/tree.py appends this to the manifest of its copy of the package: only what judges mutants is left, without other packages.

package.targets += [
    .target(name: "CMutant", path: "Tests/Mutants/Judged/CMutant"),
    .executableTarget(
        name: "vector-judge", dependencies: ["JWKSCache", "JWTCore"], path: "Tests/Mutants/Judged/VectorJudge",
        swiftSettings: strict + [.unsafeFlags(["-Onone"])]),
]
for target in package.targets where ["JWTCore", "JWKSCache", "Gateway"].contains(target.name) { target.dependencies.append("CMutant") }
package.keep(only: ["vector-judge", "JWTCoreTests", "JWKSCacheTests", "GatewayTests"])
// The verifier is optimised, its tests need not be.
for target in package.targets where target.type == .test { target.swiftSettings = strict + [.unsafeFlags(["-Onone"])] }
