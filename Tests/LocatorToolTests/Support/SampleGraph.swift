import Foundation

/// A graph as the library writes it, made without the library so that it can also be wrong.
struct SampleGraph: Encodable {
    struct Module: Encodable {
        var name: String
        var priority = 500
        var isPushed = false
        var offUnless: String?
        var location = "Shop/Modules.swift:7"
        var components: [String] = []
        var mayBeEmpty: [String]?
    }

    struct Node: Encodable {
        var id: Int
        var kind = "registration"
        var name: String
        var qualifiedType: String?
        var qualifier: String?
        var scope: String?
        var payload: String?
        var qualifiedPayload: String?
        var module: String?
        var location: String?
        var state: String?
        var isHidden = false
        var isAsynchronous = false
        var isPrimary = false
        var takesResolver = false
    }

    struct Edge: Encodable, Hashable {
        var from: Int
        var to: Int
        var kind = "direct"
    }

    struct Problem: Encodable {
        var severity = "error"
        var kind = "missing"
        var text: String
        var nodes: [Int]
    }

    var version = 1
    var profiles: [String] = []
    var modules: [Module] = []
    var nodes: [Node] = []
    var edges: [Edge] = []
    var problems: [Problem] = []

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try! encoder.encode(self), as: UTF8.self)
    }

    /// Adds a node, and returns its number.
    @discardableResult
    mutating func add(
        _ name: String, kind: String = "registration", type: String? = nil, qualifier: String? = nil,
        scope: String? = "singleton", payload: String? = nil, qualifiedPayload: String? = nil,
        module: String? = "Shop", state: String? = "notMade", location: String? = "Shop/Shop.swift:1",
        isAsynchronous: Bool = false
    ) -> Int {
        nodes.append(
            Node(
                id: nodes.count, kind: kind, name: name, qualifiedType: type, qualifier: qualifier, scope: scope,
                payload: payload, qualifiedPayload: qualifiedPayload, module: module, location: location,
                state: state, isAsynchronous: isAsynchronous))
        return nodes.count - 1
    }

    mutating func connect(_ from: Int, _ to: Int, _ kind: String = "direct") {
        edges.append(Edge(from: from, to: to, kind: kind))
    }
}
