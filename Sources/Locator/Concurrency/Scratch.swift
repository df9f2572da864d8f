/// Memory for values that one function of a thread makes and another takes over: last in, first out.
///
/// Generic code that the compiler has not specialised gets it from here for less than from the stack.
struct Scratch {
    private static let size = 4096

    private var next: UnsafeMutableRawPointer?
    private var end: UnsafeMutableRawPointer?
    private var memory: UnsafeMutableRawPointer?

    /// A place that was given out; it is given back once, and after all that were given out later.
    struct Place {
        let memory: UnsafeMutableRawPointer
        fileprivate let previous: UnsafeMutableRawPointer?
    }

    /// A place for a value.
    @inline(__always)
    mutating func take<Value>(for type: Value.Type) -> Place {
        if let next, let end {
            let place = next.alignedUp(for: type)
            let after = place + MemoryLayout<Value>.size
            if after <= end {
                self.next = after
                return Place(memory: place, previous: next)
            }
        }
        return takeElsewhere(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    }

    /// A place for the value of a box.
    mutating func take(for type: AnyBox.Type) -> Place {
        let (size, alignment) = type.layout
        if let next, let end {
            let place = next.alignedUp(toMultipleOf: alignment)
            if place + size <= end {
                self.next = place + size
                return Place(memory: place, previous: next)
            }
        }
        return takeElsewhere(byteCount: size, alignment: alignment)
    }

    @inline(never)
    private mutating func takeElsewhere(byteCount: Int, alignment: Int) -> Place {
        if memory == nil, byteCount + alignment <= Self.size {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 64)
            self.memory = memory
            end = memory + Self.size
            let place = memory.alignedUp(toMultipleOf: alignment)
            next = place + byteCount
            return Place(memory: place, previous: memory)
        }
        return Place(memory: .allocate(byteCount: max(1, byteCount), alignment: max(16, alignment)), previous: nil)
    }

    /// Gives a place back; there is no value in it any more.
    @inline(__always)
    mutating func giveBack(_ place: Place) {
        if let previous = place.previous { next = previous } else { place.memory.deallocate() }
    }

    /// Ends the memory.
    func deallocate() { memory?.deallocate() }
}
