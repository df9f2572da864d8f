import Locator

/// `locator diff`: compares the settings of two profiles, or of one profile and the base file.
enum DiffCommand: Command {
    static let syntax = Syntax(
        name: "diff", summary: "Compare the settings of two profiles, or of one with the base file",
        arguments: [
            .init(
                name: "FIRST", summary: "A profile, a group, or several separated by commas", completes: .profiles),
            .init(
                name: "SECOND", summary: "Another profile or group; default: the base file alone",
                isRequired: false, completes: .profiles),
        ],
        options: Configuration.options,
        notes: [
            """
            A line begins with ~ if the values differ, with ! if the types differ, with - if only the first has the key, and
            with + if only the second has it. The exit status is also 0 if the profiles differ.
            """
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let configuration = Configuration(arguments, in: surroundings)
        var sides: [Comparison.Side] = []
        if arguments.positional.count == 1 {
            let base = try configuration.properties([])
            sides.append(.init(name: Configuration.baseName, properties: base))
        }
        for name in arguments.positional {
            sides.append(.init(name: name, properties: try configuration.properties(ProfileList(name))))
        }
        let differences = Comparison(sides: sides).differences
        if differences.isEmpty {
            return Outcome(output: "\(sides[0].name) and \(sides[1].name) have no differences".escapingHidden() + "\n")
        }

        var table = Table()
        table.add(.init(" "), .init("", .bold), .init(sides[0].name, .bold), .init(sides[1].name, .bold))
        for difference in differences { add(difference, of: sides, to: &table) }
        return Outcome(
            output: table.text(surroundings.paint) + "\n" + summary(of: differences, between: sides.map(\.name)) + "\n")
    }

    private static func add(_ difference: Comparison.Difference, of sides: [Comparison.Side], to table: inout Table) {
        let cells = sides.map { side in
            side.properties.explain(difference.path, searchesNear: false).value?.text() ?? ""
        }
        let mark = mark(of: difference)
        var row = [
            Table.Cell(mark.text, mark.color), .init(difference.path, mark.color), .init(cells[0]), .init(cells[1]),
        ]
        if difference.kind == .types {
            let kinds = difference.kinds.compactMap { $0?.description }.joined(separator: ", then ")
            row.append(.init(kinds, .red))
        } else if cells[1].isEmpty {
            row.removeLast()
        }
        table.add(row)
    }

    private static func mark(of difference: Comparison.Difference) -> Table.Cell {
        switch difference.kind {
        case .values: Table.Cell("~", .yellow)
        case .types: Table.Cell("!", .red)
        case .presence: difference.kinds[0] == nil ? Table.Cell("+", .green) : Table.Cell("-", .cyan)
        }
    }

    /// Returns the counts: `3 values differ, 1 key only in dev, 1 type differs`.
    private static func summary(of differences: [Comparison.Difference], between names: [String]) -> String {
        func part(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        let onlyFirst = differences.count { $0.kind == .presence && $0.kinds[0] != nil }
        let onlySecond = differences.count { $0.kind == .presence && $0.kinds[0] == nil }
        return [
            part(differences.count { $0.kind == .values }, "value differs", "values differ"),
            part(differences.count { $0.kind == .types }, "type differs", "types differ"),
            part(onlyFirst, "key only in \(names[0])", "keys only in \(names[0])"),
            part(onlySecond, "key only in \(names[1])", "keys only in \(names[1])"),
        ].compactMap { $0 }.joined(separator: ", ").escapingHidden()
    }
}
