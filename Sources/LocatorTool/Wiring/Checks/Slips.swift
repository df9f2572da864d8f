import Locator

extension Properties {
    /// Returns the settings that differ from a path by a misspelling of one key.
    ///
    /// Because nothing fails, only very similar paths count: `server.retires` for `server.retries`, but neither
    /// `orders.retries`, nor `server.port` for `server.proxy`.
    func slips(of path: PropertyPath) -> [String] {
        settingPaths.filter { text in
            guard let other = try? PropertyPath(parsing: text), other.steps.count == path.steps.count else {
                return false
            }
            let differing = zip(path.steps, other.steps).filter { $0 != $1 }
            guard differing.count == 1, case (.key(let key), .key(let existing)) = differing[0] else { return false }
            return !NearNames.nearest(to: key, among: [existing]).isEmpty
        }
    }
}
