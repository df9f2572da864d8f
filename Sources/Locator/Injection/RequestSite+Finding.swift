extension RequestSite: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (RequestSite.self, .site) }

    static func injected(for parameter: ParameterRequest) throws -> RequestSite {
        let thread = ThreadRecord.current
        if let site = thread.requestSite { return site }
        let request = Request(key: Key(RequestSite.self), location: parameter.location)
        throw LocatorError(.missing(request.key), request, thread)
    }
}

extension ThreadRecord {
    /// Runs a request on behalf of a type, or of a wrapper.
    func requesting<Result>(
        for type: (any Any.Type)?, at location: SourcePlace, isWrapper: Bool = false,
        _ body: () throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        let outer = requester
        requester = Requester(type: type, location: location, isWrapper: isWrapper, depth: frames.count)
        defer { requester = outer }
        return try body()
    }

    /// The type on whose behalf the current request is made; nil for a wrapper, and outside of any factory closure.
    var requestingType: (any Any.Type)? { requester(before: frames.count).type }

    /// The site of the request for the instance that the innermost running closure makes; nil if that is neither a
    /// prototype nor the product of a factory.
    fileprivate var requestSite: RequestSite? {
        guard let frame = frames.last, !frame.isInjection, var made = frame.slot, case .registration = made.layer,
            made.record.lifetime == .prototype
        else { return nil }
        // Aliases and decorators around it forward the request.
        var outer = frames.count - 1
        while true {
            let next = boundary(before: outer)
            guard next >= 0, let slot = frames[next].slot, slot.inner === made else { break }
            made = slot
            outer = next
        }
        let (type, location) = requester(before: outer)
        return RequestSite(type: type, location: location ?? frame.request(on: self)?.location ?? SourcePlace())
    }

    /// Returns the type and the place that request the instance of the frame at a position.
    private func requester(before position: Int) -> (type: (any Any.Type)?, location: SourcePlace?) {
        let holder = boundary(before: position)
        if let requester, requester.depth > holder, requester.depth <= position {
            return (requester.type, requester.location)
        }
        guard holder >= 0, let slot = frames[holder].slot else { return (nil, nil) }
        return (slot.key.type, slot.step.location)
    }

    /// Returns the position of the next outer frame that makes an instance, or of a barrier; -1 if there is none.
    private func boundary(before end: Int) -> Int {
        var position = end - 1
        while position >= 0, frames[position].slot == nil, !frames[position].isBarrier { position -= 1 }
        return position
    }
}
