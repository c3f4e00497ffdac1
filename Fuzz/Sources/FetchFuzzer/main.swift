import FuzzInput

/// Fuzzes the fetching of keys: a history of responses, failures and passing time. The first byte chooses the C interface with its clock, or
/// the decisions about a SPIFFE bundle. Each record after it, up to a byte 0xff, is an event.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { input, chance in
        var events = input.split(separator: 0xff, omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: events.count)
        switch chance.number(below: 8) {
        case 0: events.insert(events[place], at: chance.number(below: events.count))
        case 1: events.remove(at: place)
        case 2: events.swapAt(place, chance.number(below: events.count))
        case 3: events.insert([UInt8(chance.number(below: 8)), UInt8(chance.number(below: 256))], at: place)
        case 4...5: events[place] = Answer.mutated(events[place], &chance)
        default: events[place] = JSONMutator.bytes(events[place], 0..<events[place].count)
        }
        return Array(events.joined(separator: [0xff]))
    }
}

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let setting = reader.byte()
    let history: any History = setting & 0x10 == 0 ? FetchHistory(setting: setting) : BundleHistory(setting: setting)
    var events = 0
    while !reader.isAtEnd, events < 64 {
        history.apply(reader.part(until: 0xff))
        history.check()
        events += 1
    }
}
