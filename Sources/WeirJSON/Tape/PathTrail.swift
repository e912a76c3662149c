/// The way of the last search for a path, from which the next one goes on.
///
/// Errors come in the order of the document, and an initializer may handle one for each element.
/// From the beginning, each search would walk over all elements before its own.
package struct PathTrail {
  /// A container on the way, and its child to which the way leads.
  private struct Step {
    let container: TapeIndex
    var child: TapeIndex
    var position: Int
  }

  private var way: [Step] = []

  /// How many values the searches have walked over.
  package private(set) var walked = 0

  package init() {}

  /// Returns the child of a container that is the target or contains it, and its position.
  mutating func child(
    of container: TapeIndex, depth: Int, towards target: TapeIndex, _ tape: JSONTape
  ) -> (TapeIndex, position: Int) {
    var step = Step(container: container, child: container.firstChild, position: 0)
    if depth < way.count, way[depth].container == container, way[depth].child <= target {
      step = way[depth]
    }
    while tape.next(step.child) <= target {
      step.child = tape.next(step.child)
      step.position += 1
      walked += 1
    }
    // Deeper steps stay: their containers tell whether they are of use.
    way.replaceSubrange(depth..<min(depth + 1, way.count), with: CollectionOfOne(step))
    return (step.child, step.position)
  }
}
