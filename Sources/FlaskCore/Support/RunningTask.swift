/// Identifies the task in which it was made, so that the task that has set a task-local value can be distinguished from
/// the tasks that inherit the value.
///
/// Use it only while that task exists: a later task may have the same address.
package struct RunningTask: Sendable {
  private let identity = RunningTask.current

  package init() {}

  /// Whether the running task is the one in which this value was made.
  package var isCurrent: Bool { identity == RunningTask.current }

  private static var current: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
