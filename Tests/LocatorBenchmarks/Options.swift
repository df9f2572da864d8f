/// What the command line asks for.
struct Options {
    var isJSON = false
    var isCheck = false
    var filter: String?

    static let usage = """
        usage: LocatorBenchmarks [--filter text] [--json] [--check]
          --filter text  only the rows whose name contains the text
          --json         one JSON object a row
          --check        exit with status 1 where a target is missed three times more
        """

    /// Nil where the arguments make no sense.
    init?(_ arguments: some Sequence<String>) {
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            switch argument {
            case "--json": isJSON = true
            case "--check": isCheck = true
            case "--filter":
                guard let text = iterator.next() else { return nil }
                filter = text
            default: return nil
            }
        }
    }
}
