#if IDaaS
/// What can be looked up.
public protocol StoreReading {}

/// What can be changed.
public protocol StoreWriting: StoreReading {}
#endif
