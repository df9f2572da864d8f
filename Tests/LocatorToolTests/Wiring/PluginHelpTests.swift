import LocatorTool
import Testing

@Suite("The help of `swift package check-wiring` is about the command that one types")
struct PluginHelpTests {
    @Test func help_namesNoBuildFolder() {
        let help = locator("help", "check-wiring")
        #expect(help.status == 0)
        #expect(
            help.output.hasPrefix(
                """
                usage: swift package check-wiring [schema|reference|env] [--targets NAMES] [--config DIR]
                                                  [--prefix PREFIX] [--directory DIR] [--files DIR] [--secret PATH]
                                                  [--wiring FILES] [--skip PATHS] [--strict]

                Check that every profile has what the wrappers in the sources need.

                  schema|reference|env  Let another command look through the build: check-wiring schema --help

                """))
        #expect(
            help.output.hasSuffix(
                """
                  --help                Show this help

                The package is built first, in a folder of its own below .build/plugins. Unless given, the targets are all of
                the package but its tests. On macOS the sandbox of plugins does not allow the build: use
                swift package --disable-sandbox check-wiring.

                Errors are properties that a profile does not have or whose values are no values of the declared type,
                and, where --wiring is given, dependencies and qualifiers that are not registered, and components that no
                module lists. Warnings are optionals and defaults that serve although something near is there. Notes name
                what cannot be checked. The status is 1 where there are errors.

                """))
        #expect(!help.output.contains("BUILD"))
    }

    @Test(arguments: ["schema", "reference", "env"])
    func help_ofAnotherCommand(name: String) {
        let help = locator("help", "check-wiring", name).output
        #expect(help.hasPrefix("usage: swift package check-wiring \(name) [--config DIR]"))
        #expect(!help.contains("BUILD"))
    }
}
