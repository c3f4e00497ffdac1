#if Gateway
internal import Gateway

/// The settings of a configuration's file and of those that it includes, as one tree.
struct ConfigurationTree {
    let root: SettingsNode
    /// The paths of the included files, in their order.
    let included: [String]
    let texts: ExpandedTexts

    private static let mostFiles = 256
    /// Of all files together.
    private static let mostBytes = 8 * SettingsNode.mostBytes

    /// - Parameters:
    ///   - yaml: the text of the configuration's own file.
    ///   - folder: relative paths of included files count from it; nil: from the folder of the process.
    ///   - environment: the variables that texts may name; nil: those of this process.
    ///   - faults: receives warnings.
    /// - Throws: `SettingsFailure` with the faults of files and variables. Those of other settings would only follow from them.
    init(yaml: String, folder: String?, environment: [String: String]?, _ faults: FaultList) throws(SettingsFailure) {
        var expansion = VariableExpansion(environment, faults), parts: [SettingsNode] = [], bytes = yaml.utf8.count
        guard let own = expansion.document(yaml) else { throw SettingsFailure(faults.faults) }
        let patterns = IncludePattern.list(in: own, folder: folder, faults)
        // A text whose variable is at fault is no path.
        let files = faults.faults.isEmpty ? Self.files(patterns, faults) : []
        for file in files {
            guard let text = file.text(faults) else { continue }
            bytes += text.utf8.count
            guard bytes <= Self.mostBytes else {
                faults.add(file.place, .tooLarge, "`include`: all files together have more than \(Self.mostBytes) bytes")
                break
            }
            guard let part = expansion.document(text, file: file.path) else { continue }
            part.checkIncluded(faults)
            parts.append(part)
        }
        guard faults.faults.isEmpty else { throw expansion.texts.conceal(SettingsFailure(faults.faults)) }
        root = own.appending(parts)
        included = files.map(\.path)
        texts = expansion.texts
    }

    private struct IncludedFile {
        let path: String
        let place: SettingsPlace

        func text(_ faults: FaultList) -> String? {
            do throws(SettingsFault) {
                return try SettingsFile.text(path)
            } catch {
                faults.add(place, error.code, "`include`: \(error.text)")
                return nil
            }
        }
    }

    private static func files(_ patterns: [IncludePattern], _ faults: FaultList) -> [IncludedFile] {
        var files: [IncludedFile] = [], known: Set<String> = []
        for pattern in patterns {
            do throws(SettingsFault) {
                let paths = try pattern.paths()
                if paths.isEmpty { faults.warn(pattern.place, .conflict, "`include`: no file matches \(pattern.path)") }
                for path in paths where !known.insert(path).inserted {
                    faults.add(pattern.place, .repeatedName, "`include`: \(path) is included twice")
                }
                files += paths.map { IncludedFile(path: $0, place: pattern.place) }
            } catch {
                faults.add(error)
            }
        }
        guard files.count <= mostFiles else {
            faults.add(files[mostFiles].place, .tooLarge, "`include`: more than \(mostFiles) files")
            return []
        }
        return files
    }
}

extension VariableExpansion {
    /// Reads a document and puts the values of variables into it; nil, with a fault, where it cannot be read.
    fileprivate mutating func document(_ text: String, file: String? = nil) -> SettingsNode? {
        do throws(SettingsFault) {
            return expand(try SettingsNode.document(text, file: file))
        } catch {
            faults.add(error)
            return nil
        }
    }
}
#endif
