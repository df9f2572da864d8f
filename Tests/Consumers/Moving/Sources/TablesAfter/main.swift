import Locator

for module in [Module.library, .shop, .root, .editor, .player, .preview] {
    let report = try AppContext().load(module).validate().orThrow()
    precondition(report.warnings.isEmpty, "\(report)")
}
print("the modules of the tables have all they need")
