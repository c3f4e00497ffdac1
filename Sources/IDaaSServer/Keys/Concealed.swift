/// A value that no description shows, not even the description of its container: libraries log whole values.
struct Concealed<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
    let value: Value

    init(_ value: Value) { self.value = value }

    var description: String { "concealed" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
