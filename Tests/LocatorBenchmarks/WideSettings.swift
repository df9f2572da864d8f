/// Forty settings of four kinds, as a large section of a service has them.
struct WideSettings: Decodable {
    var host: String
    var name: String
    var region: String
    var zone: String
    var cluster: String
    var owner: String
    var path: String
    var level: String
    var format: String
    var storage: String
    var port: Int
    var retries: Int
    var workers: Int
    var backlog: Int
    var limit: Int
    var burst: Int
    var window: Int
    var depth: Int
    var size: Int
    var batch: Int
    var enabled: Bool
    var verbose: Bool
    var secure: Bool
    var cached: Bool
    var strict: Bool
    var traced: Bool
    var pooled: Bool
    var eager: Bool
    var sticky: Bool
    var mirrored: Bool
    var ratio: Double
    var weight: Double
    var share: Double
    var decay: Double
    var jitter: Double
    var factor: Double
    var scale: Double
    var sample: Double
    var threshold: Double
    var margin: Double

    static let text = """
        {
            "host": "host-value-0",
            "name": "name-value-1",
            "region": "region-value-2",
            "zone": "zone-value-3",
            "cluster": "cluster-value-4",
            "owner": "owner-value-5",
            "path": "path-value-6",
            "level": "level-value-7",
            "format": "format-value-8",
            "storage": "storage-value-9",
            "port": 1,
            "retries": 38,
            "workers": 75,
            "backlog": 112,
            "limit": 149,
            "burst": 186,
            "window": 223,
            "depth": 260,
            "size": 297,
            "batch": 334,
            "enabled": false,
            "verbose": true,
            "secure": false,
            "cached": true,
            "strict": false,
            "traced": true,
            "pooled": false,
            "eager": true,
            "sticky": false,
            "mirrored": true,
            "ratio": 0.15,
            "weight": 1.25,
            "share": 2.35,
            "decay": 3.45,
            "jitter": 4.55,
            "factor": 5.65,
            "scale": 6.75,
            "sample": 7.85,
            "threshold": 8.95,
            "margin": 9.105
        }
        """
}
