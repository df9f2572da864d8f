#!/usr/bin/env bash
# Measures what a program pays for starting with a context: a process that loads 100 registrations and a profile file and
# resolves one thing, beside an empty program that imports FoundationEssentials. They take turns; medians of both.
#
#     Tests/LocatorBenchmarks/start.sh [RUNS]
#
# With LIMITS=1 it fails above 1.3 times the time or the peak memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly runs=${1:-200} root=$PWD folder=.build/gate/start
mkdir -p $folder/package/Sources/{Started,Empty}

cat >$folder/package/Package.swift <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Start",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Locator", path: "../../../..")],
    targets: [
        .executableTarget(name: "Started", dependencies: ["Locator"]),
        .executableTarget(name: "Empty"),
    ])
END

echo '#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif' >$folder/package/Sources/Empty/main.swift

{
    echo 'import Locator'
    for ((i = 0; i < 100; i++)); do echo "final class Service$i: Sendable {}"; done
    echo 'let module = Module("Start") { registry in'
    for ((i = 0; i < 100; i++)); do echo "    registry.register(Service$i.init)"; done
    echo '}'
    echo 'do {'
    echo '    try AppContext.shared.loadProperties(from: CommandLine.arguments[1]).load(module)'
    echo '    _ = try AppContext.shared.resolve(Service42.self)'
    echo '} catch { fatalError("\(error)") }'
} >$folder/package/Sources/Started/main.swift

swift build -c release --package-path $folder/package --scratch-path $folder/build >$folder/build.log 2>&1 ||
    { tail -n 50 $folder/build.log; exit 1; }
readonly started=$folder/build/release/Started empty=$folder/build/release/Empty

# Microseconds of one run.
run() {
    local start=${EPOCHREALTIME/./}
    "$@"
    echo $((${EPOCHREALTIME/./} - start))
}

# The peak of the resident memory of one run, in kilobytes.
peak() {
    if [[ $(uname) == Darwin ]]; then
        /usr/bin/time -l "$@" 2>&1 >/dev/null | awk '/maximum resident/ { print int($1 / 1024) }'
    else
        /usr/bin/time -f %M "$@" 2>&1 >/dev/null
    fi
}

median() { sort -n | awk '{ values[NR] = $1 } END { print values[int((NR + 1) / 2)] }'; }

rm -f $folder/*.txt
for ((i = 0; i < runs; i++)); do
    run $empty >>$folder/empty.txt
    run $started "$root/Config" >>$folder/started.txt
done
for ((i = 0; i < 15; i++)); do
    peak $empty >>$folder/empty-peak.txt
    peak $started "$root/Config" >>$folder/started-peak.txt
done

failed=0
report() {
    awk -v name="$1" -v value="$2" -v floor="$3" -v unit="$4" 'BEGIN {
        printf "%-12s %8d %s, empty program %8d %s: %.2f x (target 1.3 x)\n", name, value, unit, floor, unit, value / floor
        exit value / floor > 1.3
    }' || failed=1
}
report "start" "$(median <$folder/started.txt)" "$(median <$folder/empty.txt)" us
report "peak memory" "$(median <$folder/started-peak.txt)" "$(median <$folder/empty-peak.txt)" KB
exit $((${LIMITS:-0} * failed))
