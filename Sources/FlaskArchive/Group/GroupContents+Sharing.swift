internal import FlaskPrimitives
import Foundation

// The exchange of a shared group with the other processes that write it. Call these functions on the group's queue.
extension GroupContents {
  /// A fault report to the owner of a part or of the group. It is delivered on a queue on which client code may run.
  typealias Report = @Sendable () -> Void

  /// How many times an exchange is tried at most, since another process may write first each time.
  private static let attempts = 100

  /// Reads the writes of other processes, and, if requested, writes our changes to the file.
  ///
  /// The file is read, and its new content is computed. The new content is written only if the file has not changed
  /// since; otherwise everything is repeated. So no process overwrites a write that it has not seen. If nothing has
  /// changed here, nothing is written.
  ///
  /// - Parameters:
  ///   - plan: what to write; `nil` to write nothing.
  ///   - reports: gets the reports to deliver.
  /// - Returns: the states to deliver.
  /// - Throws: why the group could not be read or written.
  func exchange(_ plan: ArchiveLedger.Plan?, reports: inout [Report]) throws(ArchiveError) -> [Incoming] {
    let isWriting = plan != nil
    for _ in 0..<Self.attempts {
      var theirs = try readNews(&reports)
      let steps = try steps(theirs: &theirs, reports: &reports)
      if var file = store.file {
        file.parts = theirs
        store.know(file)
      }
      var parts = otherParts(theirs: theirs, except: Set(steps.map(\.member.part.key)))
      for step in steps { parts[step.member.part.key] = step.file }
      if isWriting, try !store.write(parts, isShared: true, whole: whole) { continue }
      return settle(steps, theirs: isWriting ? parts : theirs, isWritten: isWriting)
    }
    throw .backend(description: "other processes have written it \(Self.attempts) times meanwhile")
  }

  /// Reads what other processes have written since the last exchange.
  private func readNews(_ reports: inout [Report]) throws(ArchiveError) -> [String: PartContent] {
    let members = inside.withLock { Dictionary($0.inOrder.map { ($0.part.key, $0.part) }) { $1 } }
    // Small files are read whole, so that damage is found which their headers do not show.
    if var file = store.file, !file.end.isSmall, let tail = try store.journal(behind: file) {
      if tail.isEmpty { return file.parts }
      if file.perform(tail, { members[$0]?.perform($1, on: $2) }) == nil, !file.isTorn {
        store.know(file)
        return file.parts
      }
    }
    let (read, damage) = try store.read()
    if let damage { reports.append({ [report] in report(damage) }) }
    store.know(read)
    return read?.parts ?? [:]
  }

  /// The members whose states count now.
  private var present: [Int] {
    let ids = inside.withLock { $0.inOrder.map(\.id) }
    return slot.decide { $0.present(among: ids) }
  }

  /// The step for each member's part.
  private func steps(theirs: inout [String: PartContent], reports: inout [Report]) throws(ArchiveError)
    -> [PartStep]
  {
    var steps: [PartStep] = []
    var failing: Int?
    let members = try encode(present, failing: &failing)
    noteBeginnings()
    for (member, state) in members {
      let key = member.part.key
      let (part, arrived) = inside.withLock { inside in
        let arrived = inside.parts[key]?.sharing.look(at: state)
        return (inside.parts[key], arrived)
      }
      withExtendedLifetime(arrived) {}
      guard let part, let mine = part.content else { continue }
      do throws(ArchiveError) {
        let found = part.sharing.isRemoved ? nil : theirs[key]
        let step = try PartStep(member, state, mine: mine, theirs: found, sharing: part.sharing)
        steps.append(step)
        if found != nil { theirs[key] = step.theirs }
      } catch .newerVersion(let found, let known) {
        let error = ArchiveError.newerVersion(found: found, known: known)
        refuse(key, because: error)
        reports.append(fault(.unreadable(error), of: member))
      } catch .notEncodable(let reason) {
        throw Self.notEncodable(member, .notEncodable(reason: reason))
      } catch let error where error.isTemporary {
        throw error
      } catch {
        // The part of the other process is damaged. A copy is kept, and our part replaces it.
        let copy = theirs[key].flatMap {
          ArchiveReader(backend: backend, key: key).setAside(
            (try? $0.whole()) ?? $0.archive,
            isRemoving: false
          )
        }
        reports.append(fault(.corrupt(error, setAside: copy), of: member))
        if copy == nil {
          refuse(key, because: error)
        } else {
          steps.append(try PartStep(member, state, mine: mine, theirs: nil, sharing: part.sharing))
        }
      }
    }
    return steps
  }

  /// Returns the next content of all parts that have no member in this process: the content in the file, unless the
  /// part was replaced or removed here.
  private func otherParts(
    theirs: [String: PartContent],
    except keys: Set<String>
  ) -> [String: PartContent] {
    let ours = inside.withLock { $0.parts }
    let refused = refused
    let isThere = store.file != nil
    var parts = theirs
    for (key, part) in ours where !keys.contains(key) {
      if part.sharing.isRemoved { parts[key] = nil }
      if part.sharing.isPut || (!isThere && !refused.contains(key)) { parts[key] = part.content }
    }
    for key in keys { parts[key] = nil }
    return parts
  }

  private func settle(_ steps: [PartStep], theirs: [String: PartContent], isWritten: Bool) -> [Incoming] {
    var arriving: [Incoming] = []
    inside.withLockReleasing { inside in
      inside.exchange += 1
      var replaced: [Part] = []
      for step in steps {
        let key = step.member.part.key
        guard var part = inside.parts[key] else { continue }
        replaced.append(part)
        step.settle(&part.sharing, isWritten: isWritten)
        inside.parts[key] = part
        if let incoming = step.incoming, let arrival = step.arrival(isWritten: isWritten) {
          arriving.append(
            Incoming(
              member: step.member,
              expected: step.state,
              new: incoming.state,
              arrival: arrival,
              exchange: inside.exchange
            )
          )
        }
      }
      let keys = Set(steps.map(\.member.part.key))
      for key in Set(inside.parts.keys).union(theirs.keys) where !keys.contains(key) {
        var part = inside.parts[key] ?? Part()
        if (part.sharing.isPut || part.sharing.isRemoved) && !isWritten { continue }
        replaced.append(part)
        if part.content != theirs[key], !part.sharing.isRemoved { part.source = nil }
        part.content = theirs[key]
        if isWritten {
          part.sharing.isPut = false
          part.sharing.isRemoved = false
        }
        inside.parts[key] = part
      }
      inside.isOpen = true
      return replaced
    }
    return arriving
  }

  /// A state that another process has written and that is to be installed here.
  struct Incoming: Sendable {
    let member: Member
    let expected: PinnedState
    let new: PinnedState
    let arrival: PartSharing.Arrival
    /// The exchange that has worked it out.
    let exchange: Int
  }

  /// Announces states that are about to be installed.
  ///
  /// - Returns: whether they may be installed. If another exchange has taken place since, that exchange has computed
  ///   newer states.
  func expect(_ arriving: [Incoming]) -> Bool {
    let (isCurrent, replaced) = inside.withLock { inside in
      var replaced: [PartSharing] = []
      guard arriving.allSatisfy({ $0.exchange == inside.exchange }) else { return (false, replaced) }
      for one in arriving where inside.members[one.member.id] != nil {
        if let sharing = inside.parts[one.member.part.key]?.sharing { replaced.append(sharing) }
        inside.parts[one.member.part.key]?.sharing.expect(one.arrival)
      }
      return (true, replaced)
    }
    withExtendedLifetime(replaced) {}
    return isCurrent
  }

  private func fault(_ kind: ArchiveFault.Kind, of member: Member) -> Report {
    { member.report(ArchiveFault(key: member.part.key, owner: member.owner, kind: kind)) }
  }
}
