// Takes the place of Sources/ArgumentParser/Utilities/Foundation.swift of swift-argument-parser where scripts/command.sh links the programs:
// the original brings three megabytes of FoundationEssentials for these two functions.

extension Error {
    // No error of the programs is a LocalizedError.
    func describe() -> String { String(describing: self) }
}

enum JSONEncoder {
    static func encode<T: Encodable>(_ value: T) -> String { indentedJSON(value) }
}

/// In the module CommandProgram.
@_silgen_name("commandprogram_indented_json")
func indentedJSON(_ value: any Encodable) -> String
