public import LocatorProperties

/// A sequence of the values of a setting: the current value, and each later one.
///
/// ```swift
/// for await limit in context.values(of: "server.limit", as: Int.self) {
///     switch limit {
///     case .success(let limit): limiter.limit = limit
///     case .failure(let error): logger.warning("\(error)")
///     }
/// }
/// ```
///
/// The first element is the value at the time of the first `next()`. Another one follows each time the setting changes:
/// after a load or reload, or when a module comes or goes. An error counts as a value. The sequence never returns the
/// same setting twice in a row. It compares settings before they are decoded, with their placeholders replaced. A
/// missing setting, which has the default value, differs from a setting that is equal to the default, so the sequence
/// can return the same value for both. A slow reader gets the newest value and misses earlier ones. A failed reload has
/// no effect.
///
/// The sequence ends when its context ends, or when the task that reads it is canceled. It does not keep the context
/// alive. The sequence of a child also follows the changes of its parents, and ends with the child.
///
/// Each iterator is independent, and any number of them can read at the same time. A load or reload takes time to wake
/// each waiting iterator. A module that comes or goes wakes the iterators whose setting it may change. Without
/// iterators, a change costs nothing.
public struct PropertyValues<Value: Decodable>: AsyncSequence, OpaqueToReflection {
    /// A value, or the error if it is missing or cannot be decoded.
    public typealias Element = Result<Value, PropertiesError>
    /// Iterating does not throw.
    public typealias Failure = Never

    fileprivate let core: ContextCore
    fileprivate let path: String
    fileprivate let fallback: Value?
    fileprivate let location: SourcePlace

    /// Creates an iterator, which begins to follow the setting.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: Reader(self)) }

    /// The iterator of the values.
    public struct AsyncIterator: AsyncIteratorProtocol, OpaqueToReflection {
        fileprivate let reader: Reader

        /// Returns the value of the setting when it differs from the one before, or nil once the context has ended or
        /// the task is canceled.
        public mutating func next() async -> Result<Value, PropertiesError>? {
            await reader.next()
        }

        /// Returns the value of the setting when it differs from the one before, or nil once the context has ended or
        /// the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Result<Value, PropertiesError>? {
            await reader.next(isolation: actor)
        }
    }

    /// The state that an iterator and its copies share.
    ///
    /// Following ends when it is released.
    fileprivate final class Reader {
        private let values: PropertyValues
        private let request: Request
        private let follower: Follower
        private var known: PropertyLookup?
        private var stage = Stage.new

        private enum Stage {
            case new, following, ended
        }

        init(_ values: PropertyValues) {
            self.values = values
            follower = Follower(of: values.core)
            request = Request(key: Key(Value.self), location: values.location)
        }

        deinit {
            end()
        }

        func next(isolation actor: isolated (any Actor)? = #isolation) async -> Result<Value, PropertiesError>? {
            let follower = follower
            while stage != .ended {
                if Task.isCancelled { break }
                if stage == .new {
                    follower.begin()
                    stage = .following
                }
                switch follower.look(
                    for: values.path, as: Value.self, default: values.fallback, request, known: &known)
                {
                case .value(let value): return value
                case .overtaken: continue
                case .ended: end()
                case .nothing:
                    await withTaskCancellationHandler {
                        await follower.wait()
                    } onCancel: {
                        follower.cancel()
                    }
                }
            }
            end()
            return nil
        }

        private func end() {
            if stage == .following { follower.end() }
            stage = .ended
        }
    }
}

extension PropertyValues: Sendable where Value: Sendable {}

@available(*, unavailable)
extension PropertyValues.AsyncIterator: Sendable {}

extension AppContext {
    /// Returns the decoded values of a setting: the current value, and each later one.
    ///
    /// For an optional type, the value is nil only if the setting is missing. See ``PropertyValues``.
    public func values<Value: Decodable>(
        of path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValues<Value> {
        PropertyValues(core: core, path: path, fallback: nil, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Returns the decoded values of a setting, with a default value while it is missing.
    ///
    /// See ``PropertyValues``.
    public func values<Value: Decodable>(
        of path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValues<Value> {
        PropertyValues(core: core, path: path, fallback: fallback, location: SourcePlace(fileID: fileID, line: line))
    }
}
