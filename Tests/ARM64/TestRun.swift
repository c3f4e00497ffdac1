import Testing

/// Runs the tests of this module, as `swift test` does.
@main
struct TestRun {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
