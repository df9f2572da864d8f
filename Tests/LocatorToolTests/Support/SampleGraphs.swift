import TestSupport

extension SampleGraph {
    /// A little of everything, with texts that would break a page that does not escape them.
    static var small: SampleGraph {
        var graph = SampleGraph()
        graph.profiles = ["dev"]
        graph.modules = [
            Module(name: "Fakes", priority: 1000, isPushed: true), Module(name: "Shop"),
            Module(name: "Mail", offUnless: "profile \"prod\""),
        ]
        let storefront = graph.add("Storefront", scope: "prototype", state: nil)
        let catalog = graph.add("any Catalog", state: "made", location: "Shop/Shop.swift:41")
        let orders = graph.add("any Orders", scope: "always", state: "made")
        let logger = graph.add("any Logger", qualifier: "file", state: "made")
        let clock = graph.add("any Clock<\"&'", kind: "instance", module: "Fakes", state: "setAside")
        let invoice = graph.add("Invoice", kind: "factory", scope: "prototype", state: nil)
        let prices = graph.add("any PriceList", kind: "missing", scope: nil, module: nil, state: nil, location: nil)
        let url = graph.add(
            "server.url", kind: "property", scope: nil, module: nil, state: nil, location: "application.json:3:5")
        let basket = graph.add("Basket", scope: "session")
        let alias = graph.add("any Sellable", kind: "alias", module: "Shop", state: nil)
        graph.connect(storefront, catalog)
        graph.connect(storefront, orders)
        graph.connect(storefront, invoice, "factory")
        graph.connect(catalog, logger)
        graph.connect(catalog, prices)
        graph.connect(orders, catalog)
        graph.connect(orders, logger, "collection")
        graph.connect(orders, clock, "optional")
        graph.connect(invoice, orders, "lazy")
        graph.connect(catalog, url, "property")
        graph.connect(alias, catalog, "alias")
        graph.connect(basket, storefront)
        graph.connect(storefront, basket)
        graph.problems = [
            Problem(
                text: "Shop/Shop.swift:41: error: any Catalog needs any PriceList, which is not registered\n"
                    + "  fix: </script><script>alert(\"1\")</script> & more",
                nodes: [catalog, prices]),
            Problem(
                kind: "circularDependency", text: "Shop/Shop.swift:1: error: Storefront and Basket need each other",
                nodes: [storefront, basket]),
            Problem(
                severity: "warning", kind: "neverUsed", text: "Shop/Shop.swift:1: warning: nothing can ask for it",
                nodes: [alias]),
        ]
        return graph
    }

    /// A program with a number of nodes: screens need services, services need repositories, and these need clients.
    ///
    /// All of them need the logger, and some parts stand alone.
    static func program(of count: Int) -> SampleGraph {
        var generator = SeededGenerator(seed: UInt64(count))
        let topics = [
            "Catalog", "Order", "Price", "Customer", "Basket", "Payment", "Invoice", "Shipping", "Search", "Review",
            "Account", "Session", "Coupon", "Stock", "Return", "Message", "Report", "Media", "Address", "Loyalty",
        ]
        let tiers = [
            ["Screen", "Controller", "Handler", "Job"], ["Service", "Workflow", "Policy"],
            ["Repository", "Cache", "Index"], ["Client", "Store", "Queue"],
        ]
        let shares = [0.28, 0.30, 0.24, 0.18]
        let scopes = ["singleton", "singleton", "singleton", "prototype", "graph", "always", "weak", "session"]

        var graph = SampleGraph()
        graph.profiles = ["dev", "eu"]
        let modules = (["Core"] + topics).prefix(max(3, count / 22))
        graph.modules = modules.map { Module(name: $0) }
        let logger = graph.add("any Logger", module: "Core", state: "made", location: "Core/Logging.swift:12")
        let clock = graph.add("any Clock", kind: "instance", module: "Core", state: "made")
        let properties = (0..<max(1, count / 14)).map { number in
            graph.add(
                "\(topics[number % topics.count].lowercased()).\(["url", "timeout", "limit"][number % 3])",
                kind: "property", scope: nil, module: nil, state: nil, location: "application.json:\(number + 3):12")
        }

        var members: [[Int]] = []
        let rest = count - graph.nodes.count - count / 40
        for (tier, share) in shares.enumerated() {
            members.append([])
            for number in 0..<Int(Double(rest) * share) {
                let topic = topics[number % topics.count]
                let word = tiers[tier][number / topics.count % tiers[tier].count]
                let round = number / (topics.count * tiers[tier].count)
                let isNamed = round > 0
                let module = modules[modules.firstIndex(of: topic) ?? 0]
                members[tier].append(
                    graph.add(
                        (tier == 0 ? "" : "any ") + topic + word, qualifier: isNamed ? "number \(round)" : nil,
                        scope: tier == 0 ? "prototype" : scopes.randomElement(using: &generator), module: module,
                        state: tier == 0 ? nil : Bool.random(using: &generator) ? "made" : "notMade",
                        location: "\(topic)/\(topic)\(word).swift:\(10 + number)"))
            }
        }
        while graph.nodes.count < count { graph.add("Migration\(graph.nodes.count)", scope: "prototype", state: nil) }

        let kinds = ["direct", "direct", "direct", "direct", "optional", "lazy", "collection", "provider"]
        var known: Set<Edge> = []
        func connect(_ from: Int, _ to: Int, _ kind: String) {
            if known.insert(Edge(from: from, to: to)).inserted { graph.connect(from, to, kind) }
        }
        for tier in members.indices {
            for (position, node) in members[tier].enumerated() {
                if tier + 1 < members.count, !members[tier + 1].isEmpty {
                    let next = members[tier + 1]
                    // Connected nodes are near each other.
                    for _ in 0..<Int.random(in: 1...2, using: &generator) {
                        let near = position * next.count / members[tier].count
                        let index = (near + Int.random(in: -2...2, using: &generator) + next.count) % next.count
                        connect(node, next[index], kinds.randomElement(using: &generator) ?? "direct")
                    }
                    if tier == 1, Int.random(in: 0..<9, using: &generator) == 0, position > 0 {
                        connect(node, members[1][position - 1], "direct")
                    }
                }
                if Int.random(in: 0..<3, using: &generator) == 0 { connect(node, logger, "direct") }
                if Int.random(in: 0..<12, using: &generator) == 0 { connect(node, clock, "direct") }
                if tier == 3, let property = properties.randomElement(using: &generator) {
                    connect(node, property, "property")
                }
            }
        }
        graph.addProblems(screens: members[0], services: members[1])
        return graph
    }

    private mutating func addProblems(screens: [Int], services: [Int]) {
        guard let screen = screens.last, let service = services.last, let other = services.first else { return }
        let missing = add("any Telemetry", kind: "missing", scope: nil, module: nil, state: nil, location: nil)
        connect(screen, missing)
        problems.append(
            Problem(
                text: "\(nodes[screen].location ?? ""): error: \(nodes[screen].name) needs any Telemetry, "
                    + "which is not registered\n  fix: register it in a loaded module",
                nodes: [screen, missing]))
        if service != other {
            connect(service, other)
            connect(other, service)
            problems.append(
                Problem(
                    kind: "circularDependency",
                    text: "\(nodes[other].location ?? ""): error: \(nodes[other].name) and \(nodes[service].name) "
                        + "need each other\n  fix: take one of them lazily",
                    nodes: [other, service]))
        }
        problems.append(
            Problem(
                severity: "warning", kind: "neverUsed",
                text: "\(nodes[screens[0]].location ?? ""): warning: nothing can ask for \(nodes[screens[0]].name)",
                nodes: [screens[0]]))
    }
}
