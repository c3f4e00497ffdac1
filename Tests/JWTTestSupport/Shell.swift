import Foundation

/// Commands as a shell runs them, between files: Foundation's `Process` lets children inherit each other's pipes when tests run side by
/// side.
public enum Shell {
    /// The exit code of a command.
    public static func run(_ command: String) -> Int32 { unsafe system(command) >> 8 & 0xff }

    /// An argument as it stands in a command.
    public static func quoted(_ argument: String) -> String { "'" + argument.replacing("'", with: "'\\''") + "'" }
}
