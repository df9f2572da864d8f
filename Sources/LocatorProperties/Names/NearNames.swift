/// Finds what someone may have meant by a name that does not exist.
package enum NearNames {
    /// The names nearest to the one given, in the order given; none where no slip explains the difference.
    package static func nearest(to name: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        let wanted = Array(name.lowercased().unicodeScalars)
        let wantedWords = Words.split(name)
        let tolerated = min(3, wanted.count / 3)
        var found: [(distance: Int, name: String)] = []
        for candidate in names where candidate != name {
            let letters = Array(candidate.lowercased().unicodeScalars)
            if abs(letters.count - wanted.count) <= tolerated,
                let distance = distance(from: wanted, to: letters, within: tolerated)
            {
                found.append((distance, candidate))
            } else if !wantedWords.isEmpty, Words.split(candidate) == wantedWords {
                // `max_connections` for `maxConnections`: another way to write the same words.
                found.append((0, candidate))
            }
        }
        let best = found.map(\.distance).min()
        return found.filter { $0.distance == best }.prefix(limit).map(\.name)
    }

    /// How many insertions, deletions, replacements and swaps of neighbours turn one text into the other; nil where
    /// there are more than the limit.
    static func distance(
        from first: [Unicode.Scalar], to second: [Unicode.Scalar], within limit: Int
    ) -> Int? {
        // Three rows of the table of optimal string alignment.
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for column in second.indices {
                let replaced = previous[column] + (first[row] == second[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            if (current.min() ?? 0) > limit { return nil }
            beforePrevious = previous
            previous = current
        }
        let distance = previous[second.count]
        return distance <= limit ? distance : nil
    }
}

extension NearNames {
    /// `; did you mean server.port or server.ports?`, empty where nothing is near.
    static func question(_ names: [String]) -> String {
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return "; did you mean \(others)\(others.isEmpty ? "" : " or ")\(last)?"
    }
}
