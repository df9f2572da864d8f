import LocatorTool
import Testing

@Suite("The help of `swift package check-wiring` describes the command as typed")
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

                  schema|reference|env  Run another command on the build: check-wiring schema --help

                """))
        #expect(
            help.output.hasSuffix(
                """
                  --help                Show this help

                The package is built first, in its own folder below .build/plugins. By default, the targets are all of the
                package except its tests; with --targets, only the named ones are built. On macOS the sandbox of plugins
                does not allow the build: use swift package --disable-sandbox check-wiring.

                Errors are settings that are missing in a profile or do not fit the declared type. With --wiring, they are
                also unregistered dependencies and qualifiers, and components that no module lists. Warnings are optionals and
                defaults that are used even though a similar name exists. Notes list what cannot be checked. The exit status
                is 1 if there are errors.

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
