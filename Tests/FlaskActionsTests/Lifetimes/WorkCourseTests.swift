@testable import FlaskActions
import Testing

/// What a course decides, without threads and clocks.
struct WorkCourseTests {
  private typealias Course = WorkCourse<String>

  /// Shows a course a value, as its seat does.
  private func see(_ value: String?, _ version: Int, _ course: inout Course) -> [Course.Command] {
    let isSame = course.value == value
    return course.see(value, isSame: isSame, at: course.serial, version: version) ?? []
  }

  @Test func `work without a pace starts and ends with its value`() {
    var course = Course(pace: .immediate)
    #expect(see(nil, 1, &course) == [])
    #expect(see("a", 2, &course) == [.start(1)])
    #expect(see("a", 3, &course) == [])
    #expect(see("b", 4, &course) == [.end(1), .start(2)])
    #expect(see(nil, 5, &course) == [.end(2)])
    #expect(see("b", 6, &course) == [.start(4)])
  }

  @Test func `an older version is ignored`() {
    var course = Course(pace: .immediate)
    #expect(see("a", 5, &course) == [.start(1)])
    #expect(see(nil, 4, &course) == [])
    #expect(course.value == "a")
  }

  @Test func `a value that was compared with another one than the last is compared again`() {
    var course = Course(pace: .immediate)
    _ = see("a", 1, &course)
    #expect(course.see("b", isSame: false, at: 0, version: 2) == nil)
    #expect(course.see("b", isSame: false, at: 1, version: 2) == [.end(1), .start(2)])
  }

  @Test func `a debounced value waits for a pause, and ends the work for the last one at once`() {
    var course = Course(pace: .debounce(.seconds(1)))
    #expect(see("a", 1, &course) == [.startTimer(1, .seconds(1))])
    #expect(see("b", 2, &course) == [.cancelTimer(1), .startTimer(2, .seconds(1))])
    #expect(course.fired(1) == [])
    #expect(course.fired(2) == [.start(2)])
    #expect(see("c", 3, &course) == [.end(2), .startTimer(3, .seconds(1))])
    #expect(see(nil, 4, &course) == [.cancelTimer(3)])
    #expect(course.fired(3) == [])
  }

  @Test func `a throttled value starts at once, and the last of an interval at its end`() {
    var course = Course(pace: .throttle(.seconds(1)))
    #expect(see("a", 1, &course) == [.start(1), .startTimer(1, .seconds(1))])
    #expect(see("b", 2, &course) == [.end(1)])
    #expect(see("c", 3, &course) == [])
    #expect(course.fired(1) == [.start(3), .startTimer(2, .seconds(1))])
    #expect(course.fired(2) == [])
    #expect(see("d", 4, &course) == [.end(3), .start(4), .startTimer(3, .seconds(1))])
    #expect(see(nil, 5, &course) == [.end(4)])
    #expect(course.fired(3) == [])
    #expect(see("e", 6, &course) == [.start(6), .startTimer(4, .seconds(1))])
  }

  @Test func `a value that goes within a throttling interval does not start`() {
    var course = Course(pace: .throttle(.seconds(1)))
    _ = see("a", 1, &course)
    _ = see("b", 2, &course)
    #expect(see(nil, 3, &course) == [])
    #expect(course.fired(1) == [])
  }

  @Test func `after its end nothing starts`() {
    var course = Course(pace: .throttle(.seconds(1)))
    _ = see("a", 1, &course)
    _ = see("b", 2, &course)
    #expect(course.end() == [.cancelTimer(1)])
    #expect(course.fired(1) == [])
    #expect(see("c", 3, &course) == [])
    #expect(course.end() == [])
    var paused = Course(pace: .debounce(.seconds(1)))
    _ = see("a", 1, &paused)
    #expect(paused.end() == [.cancelTimer(1)])
    #expect(paused.fired(1) == [])
  }
}
