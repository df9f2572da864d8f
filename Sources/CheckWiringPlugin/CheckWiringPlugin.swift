import Foundation
import PackagePlugin

/// `swift package check-wiring`: builds with `-emit-const-values`, and runs `locator wiring` on the result.
///
/// `swift package check-wiring schema`, `reference`, and `env` run these commands instead.
///
/// The build has its own folder. In the folder of `swift build`, its flags would cause a full rebuild, and the next
/// `swift build` would cause another.
@main
struct CheckWiringPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let named = arguments.first.flatMap { ["schema", "reference", "env"].contains($0) ? $0 : nil }
        if arguments.contains("--help") || arguments.contains("-h") {
            // Help needs no build.
            _ = try run(
                context.tool(named: "LocatorTool").url, ["help", "check-wiring"] + (named.map { [$0] } ?? []),
                in: context.package.directoryURL, output: .standardOutput, errors: .standardError)
            return
        }
        let scratch = context.pluginWorkDirectoryURL.appending(path: "build")
        // All types of the program, regardless of their conformances.
        let protocols = context.pluginWorkDirectoryURL.appending(path: "protocols.json")
        if !FileManager.default.fileExists(atPath: protocols.path) {
            try Data(#"["Copyable"]"#.utf8).write(to: protocols)
        }
        let swift = try context.tool(named: "swift").url
        // Symbol graphs contain comments, and how types are decoded.
        let symbols = scratch.appending(path: "symbols")
        let flags = [
            "-emit-const-values", "-Xfrontend", "-const-gather-protocols-file", "-Xfrontend", protocols.path,
            "-emit-symbol-graph", "-emit-symbol-graph-dir", symbols.path,
            "-Xfrontend", "-symbol-graph-minimum-access-level", "-Xfrontend", "private",
        ]
        let package = context.package.directoryURL
        var build = ["build", "--quiet", "--package-path", package.path, "--scratch-path", scratch.path]
        build += flags.flatMap { ["-Xswiftc", $0] }
        for selection in selections(of: arguments, in: context.package) {
            // The output of a successful build also concerns other packages. `swift build` shows it.
            try runQuietly(
                swift, build + selection, in: package, log: context.pluginWorkDirectoryURL.appending(path: "build.log"))
        }

        let products = scratch.appending(path: "debug")
        let link = products.appending(path: "symbols")
        if !FileManager.default.fileExists(atPath: link.path) {
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: symbols)
        }

        var check = [named ?? "wiring", products.path] + arguments.dropFirst(named == nil ? 0 : 1)
        if !arguments.contains(where: { $0.hasPrefix("--targets") }) {
            let targets = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter {
                $0.kind == .generic || $0.kind == .executable
            }
            check += ["--targets", targets.map(\.name).joined(separator: ",")]
        }
        let status = try run(
            context.tool(named: "LocatorTool").url, check, in: package, output: .standardOutput, errors: .standardError)
        // The findings are already printed. An error thrown here would add another line.
        if status != 0 { exit(status) }
    }

    /// The options of the builds that the check needs: one for each target that is named, because `swift build` takes only
    /// one, or one build of everything.
    private func selections(of arguments: [String], in package: Package) -> [[String]] {
        var options = ArgumentExtractor(arguments)
        let names = options.extractOption(named: "targets").flatMap { $0.split(separator: ",").map(String.init) }
        // `locator` reports a name that is wrong.
        let areKnown = Set(package.targets.map(\.name)).isSuperset(of: names)
        return names.isEmpty || !areKnown ? [[]] : names.map { ["--target", $0] }
    }

    /// Runs a build, and shows its output only if it fails.
    private func runQuietly(_ program: URL, _ arguments: [String], in folder: URL, log: URL) throws {
        if ProcessInfo.processInfo.environment["CI"] == nil {
            Diagnostics.progress("Building the package to check it; the first time takes as long as a clean build")
        }
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let status = try run(program, arguments, in: folder, output: output, errors: output)
        try output.close()
        if status == 0 { return }
        try FileHandle.standardError.write(contentsOf: Data(contentsOf: log))
        Diagnostics.error("the build has failed")
        exit(status)
    }

    private func run(
        _ program: URL, _ arguments: [String], in folder: URL, output: FileHandle, errors: FileHandle
    ) throws -> Int32 {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
