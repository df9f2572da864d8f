import LocatorTool

/// Runs a command line with this text as its standard input.
func locator(_ words: String..., input: String = "", configure: (inout Surroundings) -> Void = { _ in }) -> Outcome {
    locator(words: words, input: input, configure: configure)
}

/// Runs a command line with this text as its standard input.
func locator(
    words: [String], input: String = "", configure: (inout Surroundings) -> Void = { _ in }
) -> Outcome {
    var surroundings = Surroundings()
    surroundings.readInput = { Array(input.utf8) }
    configure(&surroundings)
    return Tool.run(words, in: surroundings)
}
