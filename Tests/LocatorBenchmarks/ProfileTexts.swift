/// Profile texts of any size, alike in shape to what services have: sections of settings of every kind.
enum ProfileTexts {
    /// A profile with about as many leaves as asked for.
    static func profile(keys: Int) -> String {
        var sections: [String] = []
        for section in 0..<max(1, keys / 10) {
            sections.append(
                """
                    "service\(section)": {
                        "url": "https://service-\(section).example.org/api",
                        "port": \(8000 + section),
                        "enabled": \(section % 3 != 0),
                        "timeout": "250ms",
                        "maxConnections": \(section % 64),
                        "weight": 0.\(section % 100 + 1),
                        "logger": {
                            "level": "info",
                            "storage": "file",
                            "path": "/var/log/service-\(section).log"
                        },
                        "region": "eu-\(section % 7)"
                    }
                """)
        }
        return "{\n" + sections.joined(separator: ",\n") + "\n}\n"
    }
}
