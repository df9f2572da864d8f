import LocatorProperties

extension FileSystem {
    /// A folder `Config` with these files and nothing else.
    static func config(_ files: [String: String]) -> FileSystem {
        FileSystem(
            read: { (path) throws(FileProblem) in
                guard path.hasPrefix("Config/"), let text = files[String(path.dropFirst("Config/".count))] else {
                    throw .noFile
                }
                return Array(text.utf8)
            },
            list: { (path) throws(FileProblem) in
                guard path == "Config" else { throw .noFolder }
                return files.keys.sorted()
            })
    }
}

/// The settings of a shop that has two profiles and a group.
enum ShopFiles {
    static let base = """
        {
          "locator": { "profiles": { "groups": { "staging": ["prod", "dev"] } } },
          "server": { "host": "localhost", "port": 8080, "url": "http://${server.host}:${server.port}" },
          "orders": { "retries": 3, "database": { "url": "postgres://shop:hunter2@db/orders", "password": "hunter3" } },
          "languages": ["de", "en"],
          "debug": { "queries": true }
        }
        """
    static let dev = """
        {
          "orders": { "database": { "poolSize": 2 } }
        }
        """
    static let prod = """
        {
          "server": { "host": "shop.example.com", "port": 443 },
          "orders": { "database": { "password": "${env:SHOP_PASSWORD:hunter4}", "poolSize": 32 } },
          "languages": ["de", "en", "fr"],
          "debug": null
        }
        """

    static let all = FileSystem.config([
        "application.json": base, "application-dev.json": dev, "application-prod.json": prod, "notes.txt": "hunter5",
    ])
}
