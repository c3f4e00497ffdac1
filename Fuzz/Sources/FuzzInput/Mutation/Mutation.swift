/// What libFuzzer's custom mutator calls with its buffer.
public enum Mutation {
    /// Replaces the first `size` bytes of `data` by `change` of them, cut at `room`. Returns the new size.
    public static func replace(
        _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, seed: UInt32, _ change: ([UInt8], inout Chance) -> [UInt8]
    ) -> Int {
        var chance = Chance(seed: seed)
        let changed = change(Array(UnsafeBufferPointer(start: data, count: size)), &chance).prefix(room)
        for (place, byte) in changed.enumerated() { data[place] = byte }
        return changed.count
    }

    /// Leaves `head` bytes, which choose a test's setting, mostly as they are, and changes the JSON text after them.
    public static func replaceJSON(
        _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, seed: UInt32, after head: Int, by mutator: JSONMutator
    ) -> Int {
        replace(data, size, room, seed: seed) { input, chance in
            guard input.count > head else { return JSONMutator.bytes(input, 0..<input.count) }
            var start = Array(input[..<head])
            if head > 0, chance.number(below: 8) == 0 { start[chance.number(below: head)] = UInt8(chance.number(below: 256)) }
            return start + mutator.mutate(Array(input[head...]), limit: room - head, &chance)
        }
    }

    /// Leaves `head` bytes mostly as they are, and changes one of the parts after them, which bytes of 0xff separate.
    ///
    /// - Parameter mutators: for each part; the last one also for the parts behind it. Nil leaves a part to libFuzzer.
    public static func replacePart(
        _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, seed: UInt32, after head: Int, by mutators: [JSONMutator?]
    ) -> Int {
        replace(data, size, room, seed: seed) { input, chance in
            guard input.count > head, chance.number(below: 16) > 0 else { return JSONMutator.bytes(input, 0..<input.count) }
            var start = Array(input[..<head])
            if head > 0, chance.number(below: 8) == 0 { start[chance.number(below: head)] = UInt8(chance.number(below: 256)) }
            var parts = input[head...].split(separator: 0xff, omittingEmptySubsequences: false).map { Array($0) }
            let place = chance.number(below: parts.count)
            if let mutator = mutators[min(place, mutators.count - 1)] {
                parts[place] = mutator.mutate(parts[place], limit: room / 2, &chance)
            } else {
                parts[place] = JSONMutator.bytes(parts[place], 0..<parts[place].count)
            }
            return start + Array(parts.joined(separator: [0xff]))
        }
    }
}
