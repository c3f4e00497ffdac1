// Tests that import this module also use the clock and the transport of the testing kit.
@_exported public import AssayTesting
