/// The scopes that children can open, and the inputs that are declared for them.
///
/// This is the part that does not depend on a context.
///
/// Lineups share it as long as no module with a custom scope comes, goes, or moves.
final class OpenableScopes: Sendable {
    /// The declaration of an input, by a module in force.
    struct InputDeclaration {
        let module: Lineup.Entry
        let record: RegistrationRecord
        let scope: Scope
    }

    struct Content {
        /// The custom scopes that modules name, in force or not.
        ///
        /// There are so few that comparing them costs less than hashing one.
        let scopes: [Scope]
        /// In lookup order.
        let inputs: [InputDeclaration]
    }

    private let content = LazyConstant<Content>()

    /// The content, which is the same in all lineups that share this object.
    fileprivate func content(in lineup: Lineup) -> Content {
        content.value {
            Content(
                scopes: Array(Set(lineup.preparing.flatMap(\.scopes))),
                inputs: lineup.preparingInForce.flatMap { module in
                    module.loaded.inputs.compactMap { record in
                        record.lifetime.openableScope.map { .init(module: module, record: record, scope: $0) }
                    }
                })
        }
    }
}

extension Lineup {
    var openable: OpenableScopes.Content { openableScopes.content(in: self) }
}
