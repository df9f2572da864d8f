/// The rounds in which everything is disposed of.
///
/// Instances that a hook creates are disposed of in the next round. Unless hooks form a cycle, each round has a
/// registration that no earlier round had.
struct DisposalRounds {
    // The table keeps the registrations, so that none gets the identity of an earlier one.
    private var ended: IdentityTable<RegistrationRecord> = [:]
    private(set) var count = 0

    var isCycle: Bool { count > ended.count }

    mutating func add(_ records: some Sequence<RegistrationRecord>) {
        for record in records { ended[ObjectIdentifier(record)] = record }
        count += 1
    }
}
