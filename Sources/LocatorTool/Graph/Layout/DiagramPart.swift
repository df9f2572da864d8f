/// A part of a diagram: some of its boxes, and the lines between them.
struct DiagramPart {
    /// The numbers of the part's boxes in the whole diagram.
    var boxes: [Int]
    /// The numbers of the part's lines in the whole diagram.
    var lines: [Int]
    var diagram: Diagram

    /// Returns the connected parts of a diagram, in the order of their first boxes.
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
            // The smaller number is used for both, so that the order of the lines does not matter.
            parents[max(first, second)] = min(first, second)
        }

        var partOfRoot: [Int: Int] = [:]
        let partOfBox = diagram.sizes.indices.map { box in
            let part = partOfRoot[root(box)] ?? partOfRoot.count
            partOfRoot[root(box)] = part
            return part
        }
        return parts(of: diagram, partOfBox: partOfBox)
    }

    /// Returns the parts to which the boxes of a diagram belong.
    ///
    /// Lines between two parts are left out.
    static func parts(of diagram: Diagram, partOfBox: [Int]) -> [DiagramPart] {
        var parts = (0..<((partOfBox.max() ?? -1) + 1)).map { _ in
            DiagramPart(boxes: [], lines: [], diagram: Diagram(sizes: [], lines: []))
        }
        var numberInPart: [Int] = []
        for (box, part) in partOfBox.enumerated() {
            numberInPart.append(parts[part].boxes.count)
            parts[part].boxes.append(box)
            parts[part].diagram.sizes.append(diagram.sizes[box])
        }
        for (number, line) in diagram.lines.enumerated() where partOfBox[line.from] == partOfBox[line.to] {
            let part = partOfBox[line.from]
            parts[part].lines.append(number)
            parts[part].diagram.lines.append(
                Diagram.Line(from: numberInPart[line.from], to: numberInPart[line.to], look: line.look))
        }
        return parts
    }
}
