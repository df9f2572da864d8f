extension ThreadRecord {
    /// How often a factory may call itself before it counts as a circle.
    private static let factoryDepth = 200

    /// Whether making `slot` here would never end: it is being made already, or a factory calls itself without end.
    @inline(__always)
    func isTooDeep(_ slot: Unmanaged<Slot>, isFactory: Bool) -> Bool {
        var count = 0
        var index = frames.count
        while index > 0 {
            index -= 1
            let frame = frames[index]
            if frame.isBarrier { break }
            guard frame.isMaking(slot) else { continue }
            // What is shared in between is not made again for the next one's injection: that comes to an end.
            if frame.isInjection, frames[(index + 1)...].contains(where: \.isOfShared) { continue }
            if !isFactory { return true }
            count += 1
            if count == Self.factoryDepth { return true }
        }
        return false
    }

    /// The steps from the making of `slot` on this thread inwards, and `slot` again.
    func circle(to slot: Slot) -> [Step] {
        let start = frames.lastIndex { $0.slot === slot } ?? frames.startIndex
        return frames[start...].compactMap(\.step) + [slot.step]
    }

    /// Whether what runs here is made for something shared, since the injection began that is running.
    var isOfSharedSinceInjection: Bool {
        for frame in frames.reversed() {
            if frame.isInjection || frame.isBarrier { return false }
            if frame.isOfShared { return true }
        }
        return false
    }

    /// The steps of a row of injections, the last of which is running, then those inwards from it, and the first again.
    func circle(to slot: Slot, behind row: [PendingInjection]) -> [Step] {
        let start = frames.lastIndex { $0.isInjection } ?? frames.startIndex
        let before = row.dropLast().map {
            Step(key: $0.slot.key, location: $0.slot.record.location, role: .injection)
        }
        // The innermost frame is that of the slot itself.
        return before + frames[start...].compactMap(\.step)
    }

    /// The steps of this thread that are part of a circle, the steps of other threads, and the first again.
    func circle(over others: [Step]) -> [Step] {
        guard let last = others.last else { return steps }
        // The other threads' steps end with those of this thread, from the making that they wait for inwards.
        return others + [others.first ?? last]
    }
}
