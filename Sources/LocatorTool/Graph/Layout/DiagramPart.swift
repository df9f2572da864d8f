/// A part of a diagram that no line connects with the rest.
struct DiagramPart {
    /// The numbers that the part's boxes have in the whole diagram.
    var boxes: [Int]
    /// The numbers that the part's lines have in the whole diagram.
    var lines: [Int]
    /// The part as a diagram of its own.
    var diagram: Diagram

    /// The parts of a diagram in the order of their first boxes.
    static func connected(in diagram: Diagram) -> [DiagramPart] {
        var parents = Array(diagram.sizes.indices)
        func root(_ box: Int) -> Int {
            var box = box
            while parents[box] != box {
                parents[box] = parents[parents[box]]
                box = parents[box]
            }
            return box
        }
        for line in diagram.lines {
            let (first, second) = (root(line.from), root(line.to))
            // The smaller number stands for both, so that the order of the lines does not matter.
            parents[max(first, second)] = min(first, second)
        }

        var parts: [DiagramPart] = []
        var partOfRoot: [Int: Int] = [:]
        var numberInPart: [Int] = []
        for box in diagram.sizes.indices {
            let part = partOfRoot[root(box)] ?? parts.count
            if part == parts.count {
                partOfRoot[box] = part
                parts.append(DiagramPart(boxes: [], lines: [], diagram: Diagram(sizes: [], lines: [])))
            }
            numberInPart.append(parts[part].boxes.count)
            parts[part].boxes.append(box)
            parts[part].diagram.sizes.append(diagram.sizes[box])
        }
        for (number, line) in diagram.lines.enumerated() {
            guard let part = partOfRoot[root(line.from)] else { continue }
            parts[part].lines.append(number)
            parts[part].diagram.lines.append(
                Diagram.Line(from: numberInPart[line.from], to: numberInPart[line.to], look: line.look))
        }
        return parts
    }
}
