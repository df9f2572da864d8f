#!/usr/bin/env bash
# Measures what registrations cost where they are written: compiles a module of 500 with three parameters each, with -O,
# and prints the seconds and the bytes of object code for each, beside the same number of plain function calls, and the
# whole beside the same file with closures written by hand over a dictionary.
#
#     Tests/LocatorBenchmarks/compile-500.sh [COUNT]
#
# With LIMITS=1 it fails above 3,500 bytes each or 60 seconds, or twice the time or size of the closures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly count=${1:-500} folder=.build/gate/compile scratch=.build/gate/compile/package
mkdir -p $folder

# Services behind protocols, whose initializers take three others; the first ones take nothing.
services() {
    local i
    for ((i = 0; i < count; i++)); do
        echo "protocol API$i: Sendable {}"
        if ((i < 3)); then
            echo "final class Service$i: API$i { init() {} }"
        else
            echo "final class Service$i: API$i {"
            echo "    let a: any API$((i / 2)), b: any API$((i / 3)), c: any API$((i - 1))"
            echo "    init(a: any API$((i / 2)), b: any API$((i / 3)), c: any API$((i - 1))) {"
            echo "        self.a = a; self.b = b; self.c = c"
            echo "    }"
            echo "}"
        fi
    done
}

module() {
    local i
    echo "public import Locator"
    echo "extension Module {"
    echo "    public static let large = Module(\"Large\") { registry in"
    for ((i = 0; i < count; i++)); do echo "        $1"; done | awk '{ gsub(/#/, NR - 1); print }'
    echo "    }"
    echo "}"
}

# The same services in a dictionary of closures, each of which asks the dictionary.
byHand() {
    local i
    echo "nonisolated(unsafe) public var table: [ObjectIdentifier: () -> Any] = [:]"
    echo "public func load() {"
    for ((i = 0; i < count; i++)); do
        if ((i < 3)); then
            echo "    table[ObjectIdentifier((any API$i).self)] = { Service$i() as any API$i }"
        else
            echo "    table[ObjectIdentifier((any API$i).self)] = {"
            echo "        Service$i("
            echo "            a: table[ObjectIdentifier((any API$((i / 2))).self)]!() as! any API$((i / 2)),"
            echo "            b: table[ObjectIdentifier((any API$((i / 3))).self)]!() as! any API$((i / 3)),"
            echo "            c: table[ObjectIdentifier((any API$((i - 1))).self)]!() as! any API$((i - 1))"
            echo "        ) as any API$i"
            echo "    }"
        fi
    done
    echo "}"
}

compile() {
    # Processor time, because other work on the machine makes a clock lie.
    local name=$1 TIMEFORMAT='%U'
    seconds=$({ time swiftc -O -wmo -swift-version 6 -parse-as-library -module-name Large -c $folder/Services.swift $folder/"$name".swift \
        -I $scratch/release/Modules -o $folder/"$name".o >&2; } 2>&1)
    # Code, and the data that it needs: everything that is loaded.
    bytes=$(size -A $folder/"$name".o | awk '$1 !~ /debug|comment|autolink|note|swift_modhash|cmdline|Total|section/ && $2 ~ /^[0-9]+$/ { sum += $2 } END { print sum }')
    text=$(size -A $folder/"$name".o | awk '$1 ~ /^\.text/ { sum += $2 } END { print sum }')
}

swift build -c release --scratch-path $scratch --product LocatorDemo >$folder/build.log 2>&1 || { tail -n 50 $folder/build.log; exit 1; }
services >$folder/Services.swift

module '_ = registry' >$folder/Nothing.swift
compile Nothing
floor=$bytes floorText=$text
echo "without registrations: $seconds s, $floor bytes, of which $floorText code"

byHand >$folder/ByHand.swift
compile ByHand
handSeconds=$seconds handBytes=$bytes
echo "closures by hand:      $seconds s, $bytes bytes, of which $text code"

failed=0
report() {
    local name=$1 each
    module "$2" >$folder/"$name".swift
    compile "$name"
    each=$(((bytes - floor) / count))
    printf '%-40s %8s s %6d bytes each, of which %d code\n' "$3" "$seconds" "$each" $(((text - floorText) / count))
    awk -v time="$seconds" -v hand="$handSeconds" -v size="$bytes" -v handSize="$handBytes" 'BEGIN {
        printf "    the whole: %.2f x the time, %.2f x the bytes of the closures by hand (target 2 x)\n", time / hand, size / handSize
        exit time / hand > 2 || size / handSize > 2
    }' || failed=1
    if ((each > 3500 || ${seconds%.*} > 60)); then failed=1; fi
}

report Inferred 'registry.register(Service#.init)' 'register(Service.init)'
report Typed 'registry.register((any API#).self, Service#.init)' 'register((any API).self, Service.init)'
report Qualified 'registry.register((any API#).self, qualifier: "name#", scope: .always, Service#.init)' \
    'register(…, qualifier:scope:, …)'
report MainActor 'registry.register((any API#).self, onMainActor: Service#.init)' 'register(…, onMainActor: …)'

exit $((${LIMITS:-0} * failed))
