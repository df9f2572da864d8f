import LocatorProperties
import TestSupport
import Testing

@Suite("The nearest names are those with the fewest misspellings")
struct RandomNearNamesTests {
    @Test func randomNames_areFoundAsByAComparisonOfAll() {
        var random = SeededGenerator(for: "NearNames")
        func name() -> String {
            let letters = Bool.random(using: &random) ? "abAB" : "abcdefghijklmnop0123456789._-éß"
            return String(
                (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
        }
        for _ in 0..<TestScale.count(2_000) {
            let names = (0..<Int.random(in: 0...12, using: &random)).map { _ in name() }
            let wanted = name()
            #expect(
                NearNames.nearest(to: wanted, among: names, limit: 100) == nearest(to: wanted, among: names),
                "\(wanted) among \(names)")
            var growing = NearNames([])
            for name in names { growing.append(name) }
            #expect(growing.nearest(to: wanted, limit: 100) == nearest(to: wanted, among: names))
        }
    }

    private func nearest(to wanted: String, among names: [String]) -> [String] {
        let letters = Array(wanted.lowercased().unicodeScalars)
        let words = Words.split(wanted)
        let distances = names.map { name in
            let distance = distance(from: letters, to: Array(name.lowercased().unicodeScalars))
            return distance <= min(3, letters.count / 3)
                ? distance : !words.isEmpty && Words.split(name) == words ? 0 : 100
        }
        let others = zip(names, distances).filter { $0.0 != wanted && $0.1 < 100 }
        let least = others.map(\.1).min()
        return others.filter { $0.1 == least }.map(\.0)
    }

    /// The number of insertions, deletions, replacements, and swaps of adjacent letters.
    private func distance(from first: [Unicode.Scalar], to second: [Unicode.Scalar]) -> Int {
        var table = [[Int]](repeating: Array(0...second.count), count: first.count + 1)
        for row in 0...first.count { table[row][0] = row }
        for row in first.indices {
            for column in second.indices {
                var least = min(table[row][column + 1], table[row + 1][column]) + 1
                least = min(least, table[row][column] + (first[row] == second[column] ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = least
            }
        }
        return table[first.count][second.count]
    }
}
