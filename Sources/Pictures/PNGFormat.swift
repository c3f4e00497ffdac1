/// How the bytes of a PNG's data are pixels: what its header says.
struct PNGFormat {
    private let width: Int
    private let height: Int
    private let colours: Colours

    private enum Colours: UInt8 {
        case grey = 0
        case colour = 2
        case table = 3
        case greyWithOpacity = 4
        case colourWithOpacity = 6

        var channels: Int {
            switch self {
            case .grey, .table: 1
            case .greyWithOpacity: 2
            case .colour: 3
            case .colourWithOpacity: 4
            }
        }
    }

    /// - Parameter header: the 13 bytes of IHDR.
    init(_ header: [UInt8]) throws(PNGFailure) {
        let numbers = [0, 4].map { header[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard let colours = Colours(rawValue: header[9]) else { throw .badData }
        guard header[8] == 8, header[10...12].allSatisfy({ $0 == 0 }) else { throw .unsupported }
        guard numbers.allSatisfy({ $0 > 0 && $0 <= 1 << 16 }), numbers[0] * numbers[1] <= PNGReader.maximumPixels else { throw .size }
        (width, height) = (numbers[0], numbers[1])
        self.colours = colours
    }

    private var lineLength: Int { width * colours.channels }

    /// Every line has its filter's number before it.
    var rawSize: Int { (lineLength + 1) * height }

    func picture(_ raw: [UInt8], table: [UInt8], opacities: [UInt8]) throws(PNGFailure) -> Picture {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(4 * width * height)
        var above = [UInt8](repeating: 0, count: lineLength)
        for y in 0..<height {
            let start = y * (lineLength + 1)
            var line = Array(raw[start + 1...start + lineLength])
            guard unfilter(&line, above, raw[start]) else { throw .badData }
            for sample in stride(from: 0, to: line.count, by: colours.channels) {
                guard let pixel = pixel(line, sample, table, opacities) else { throw .badData }
                pixels += pixel
            }
            above = line
        }
        return Picture(width: width, height: height, pixels: pixels)
    }

    private func pixel(_ line: [UInt8], _ at: Int, _ table: [UInt8], _ opacities: [UInt8]) -> [UInt8]? {
        switch colours {
        case .grey: return [line[at], line[at], line[at], 255]
        case .greyWithOpacity: return [line[at], line[at], line[at], line[at + 1]]
        case .colour: return [line[at], line[at + 1], line[at + 2], 255]
        case .colourWithOpacity: return [line[at], line[at + 1], line[at + 2], line[at + 3]]
        case .table:
            let index = Int(line[at])
            guard 3 * index + 2 < table.count else { return nil }
            return table[3 * index...3 * index + 2] + [index < opacities.count ? opacities[index] : 255]
        }
    }

    /// Undoes a line's filter (ISO/IEC 15948 section 9); false for a number that names none.
    private func unfilter(_ line: inout [UInt8], _ above: [UInt8], _ filter: UInt8) -> Bool {
        guard filter <= 4 else { return false }
        for index in line.indices where filter != 0 {
            let isFirst = index < colours.channels
            let left = isFirst ? 0 : line[index - colours.channels]
            let up = above[index]
            switch filter {
            case 1: line[index] &+= left
            case 2: line[index] &+= up
            case 3: line[index] &+= UInt8((Int(left) + Int(up)) / 2)
            default: line[index] &+= Self.paeth(left, up, isFirst ? 0 : above[index - colours.channels])
            }
        }
        return true
    }

    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(up) - Int(corner)
        let (a, b, c) = (abs(estimate - Int(left)), abs(estimate - Int(up)), abs(estimate - Int(corner)))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }
}
