/// Finds the lines to reverse so that a diagram has no cycles.
enum CycleBreaking {
    /// Returns for each line whether it must be reversed.
    ///
    /// A depth-first search starts at the boxes that no line leads to. So only lines within cycles are reversed: those
    /// that lead back to a box on the current path.
    static func linesToTurn(in diagram: Diagram) -> [Bool] {
        enum Mark { case unseen, open, done }

        var leaving = [[Int]](repeating: [], count: diagram.sizes.count)
        var isEntered = [Bool](repeating: false, count: diagram.sizes.count)
        for (number, line) in diagram.lines.enumerated() where line.from != line.to {
            leaving[line.from].append(number)
            isEntered[line.to] = true
        }
        var isTurned = [Bool](repeating: false, count: diagram.lines.count)
        var marks = [Mark](repeating: .unseen, count: diagram.sizes.count)
        let beginnings = diagram.sizes.indices.filter { !isEntered[$0] } + diagram.sizes.indices
        for beginning in beginnings where marks[beginning] == .unseen {
            // A list instead of recursion, because a chain may be longer than the stack allows.
            var path: [(box: Int, next: Int)] = [(beginning, 0)]
            marks[beginning] = .open
            while let (box, next) = path.last {
                guard next < leaving[box].count else {
                    marks[box] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let line = leaving[box][next]
                let target = diagram.lines[line].to
                switch marks[target] {
                case .unseen:
                    marks[target] = .open
                    path.append((target, 0))
                case .open:
                    isTurned[line] = true
                case .done:
                    break
                }
            }
        }
        return isTurned
    }
}
