package import GraphQLLanguage
import Weir

/// A selection compiled for objects of one type: its fields, in order, with their places.
///
/// The loops of reading and writing walk shapes, without looking at syntax trees or strings.
package final class Shape: Sendable {
  package let type: TypeID
  /// The variables of `@include` and `@skip` that are true.
  let conditions: Set<String>
  package let typename: String
  package let fields: ContiguousArray<ShapeField>
  /// The same fields in the form that the reading loop needs.
  package let steps: ContiguousArray<ReadStep>
  /// Whether it has only leaves whose place is fixed.
  let isFlat: Bool
  /// Whether any field has a time to live.
  let hasTimeToLive: Bool
  /// The fields that form the record's key; empty if the selection does not identify objects.
  package let keyFields: [Int]
  /// The closure that makes the key, instead of ``keyFields``.
  let keyClosure: (@Sendable (JSON) -> String?)?
  let isRoot: Bool
  /// If a type condition was assumed to hold, the version of the knowledge that this is based on.
  let assumedVersion: Int?
  /// The assumptions, and how a response shows whether they hold.
  package let assumptions: Assumptions?

  /// A bit for each slot that is read; slots from 63 on share the last bit.
  package let slotMask: UInt64
  /// The fields without a slot whose place is known.
  package let overflowFields: [FieldID]
  /// The fields without a slot whose place depends on variables.
  package let templates: [Int]

  /// The members of the first objects that had no other members than those selected.
  let usualMembers = OnceReference<ShapeMembers>()
  /// Where the fields are, once a search for one of many has taken long.
  let table = OnceReference<ResponseKeyTable>()

  // The prefixes `{"a":`, `,"b":` and so on, followed by the type's name and 16 more bytes, so that
  // prefixes can be copied 16 bytes at a time. Proof: written only in `init`, freed in `deinit`.
  private nonisolated(unsafe) let prefixes: UnsafeMutablePointer<UInt8>
  // The type's name, behind the prefixes.
  private let typenameStart: Int
  let typenameLength: Int
  /// The maximum size of an object, without nested objects, lists and out-of-line texts.
  let fixedBytes: Int

  init(
    _ key: ShapeKey, typename: String, fields: [ShapeField], keyFields: [Int],
    keyClosure: (@Sendable (JSON) -> String?)?, assumedVersion: Int?, assumptions: Assumptions?
  ) {
    type = key.type
    conditions = key.conditions
    isRoot = key.isRoot
    self.typename = typename
    self.keyFields = keyFields
    self.keyClosure = keyClosure
    self.assumedVersion = assumedVersion
    self.assumptions = assumptions
    var mask: UInt64 = 0
    var overflow: [FieldID] = []
    var templates: [Int] = []
    var prefixes: [UInt8] = []
    steps = Self.steps(of: fields, &prefixes)
    isFlat = steps.allSatisfy { $0.kind == .leaf || $0.kind == .typename }
    for field in fields {
      switch field.place {
      case .typename, .computed: break
      case .fixed(let place):
        if let slot = place.slot { mask |= slot.bit } else { overflow.append(place.field) }
      case .variable(let template): templates.append(template)
      }
    }
    self.fields = ContiguousArray(fields)
    hasTimeToLive = fields.contains { $0.timeToLive >= 0 }
    typenameStart = prefixes.count
    typenameLength = typename.utf8.count
    prefixes += typename.utf8
    self.prefixes = Self.copy(of: prefixes)
    slotMask = mask
    overflowFields = overflow
    self.templates = templates
    // A cell's inline text has at most 14 bytes and two quotes. A type name may be longer.
    fixedBytes = prefixes.count + steps.count * (16 + typename.utf8.count) + 24
  }

  deinit {
    prefixes.deallocate()
  }

  private static func steps(
    of fields: [ShapeField], _ prefixes: inout [UInt8]
  ) -> ContiguousArray<ReadStep> {
    var steps: ContiguousArray<ReadStep> = []
    for field in fields {
      let start = prefixes.count
      prefixes += (steps.isEmpty ? "{\"" : ",\"").utf8 + field.responseKey + "\":".utf8
      steps.append(ReadStep(field, prefixStart: start, prefixLength: prefixes.count - start))
    }
    return steps
  }

  private static func copy(of bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
    let padded = bytes + [UInt8](repeating: 0, count: 16)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: padded.count)
    copy.initialize(from: padded, count: padded.count)
    return copy
  }

  func isFor(_ key: ShapeKey) -> Bool {
    type == key.type && isRoot == key.isRoot && conditions == key.conditions
  }

  /// The type's name; `typenameLength` bytes.
  var typenameText: UnsafePointer<UInt8> { UnsafePointer(prefixes + typenameStart) }

  /// A field's name in a response.
  func responseKey(_ field: Int) -> UnsafeBufferPointer<UInt8> {
    // Proof: a prefix consists of a brace or comma, a quote, the key, a quote and a colon. It
    // exists as long as the shape.
    UnsafeBufferPointer(
      start: prefixes + steps[field].prefixStart + 2, count: steps[field].prefixLength - 4)
  }

  /// Copies what precedes a field's value, and up to 15 more bytes.
  func copyPrefix(_ field: Int, to target: UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(prefixes + steps[field].prefixStart)
    let length = steps[field].prefixLength
    let target = UnsafeMutableRawPointer(target)
    var at = 0
    repeat {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self), toByteOffset: at,
        as: SIMD16<UInt8>.self)
      at += 16
    } while at < length
  }
}

/// A field of a shape.
package final class ShapeField: Sendable {
  package enum Place: Sendable {
    /// The type's name.
    case typename
    /// A place that is the same in every execution.
    case fixed(FieldPlace)
    /// A place that depends on variables; see `Bindings`.
    case variable(Int)
    /// A value that a closure computes from the record's other fields.
    case computed(ComputedField)
  }

  package let responseKey: [UInt8]
  package let name: String
  /// The name of the type that the field is selected of.
  package let typename: String
  package let place: Place
  /// The selection on the field's objects; nil for a leaf.
  package let child: SelectionNode?
  /// Whether the field may be found again within its own value.
  let mayRecur: Bool
  /// Whether an object of the field may be shown with its key in one place and without in another.
  let mixesKeys: Bool
  /// Whether the parts of a response may bring one item of its list after the other.
  let isStreamed: Bool
  /// The field's syntax, which policies look at.
  package let syntax: Field
  /// The configured policy, if any.
  package let policy: FieldPolicy?
  /// Set if a read of the field shows a run of pages.
  package let pages: PagePolicy?
  /// How long a value may be used, in milliseconds; negative if nothing is configured.
  let timeToLive: Int64

  init(
    responseKey: [UInt8], name: String, typename: String, place: Place, child: SelectionNode?,
    mayRecur: Bool = false, mixesKeys: Bool = false, syntax: Field, policy: FieldPolicy?,
    pages: PagePolicy? = nil,
    timeToLive: Int64 = -1
  ) {
    self.responseKey = responseKey
    self.name = name
    self.typename = typename
    self.place = place
    self.child = child
    self.mayRecur = mayRecur
    self.mixesKeys = mixesKeys
    isStreamed = syntax.directives.contains(.stream)
    self.syntax = syntax
    self.policy = policy
    self.pages = pages
    self.timeToLive = timeToLive
  }
}

/// A field in the form that the reading loop needs. Using it counts no references.
package struct ReadStep {
  let prefixStart: Int
  let prefixLength: Int
  /// Where the value is, for leaves and composites.
  package let place: FieldPlace
  package let kind: Kind
  /// The selection on its objects. Proof of validity: the shape's fields keep the node alive.
  let child: Unmanaged<SelectionNode>?

  package enum Kind: UInt8 {
    /// A leaf whose place is fixed.
    case leaf
    /// Objects whose place is fixed.
    case composite
    case typename
    /// All others.
    case other
  }

  init(_ field: ShapeField, prefixStart: Int, prefixLength: Int) {
    self.prefixStart = prefixStart
    self.prefixLength = prefixLength
    child = field.child.map(Unmanaged.passUnretained)
    switch field.place {
    case .fixed(let place):
      self.place = place
      kind = field.child == nil ? .leaf : .composite
    case .typename:
      place = FieldPlace(besideRow: FieldID(rawValue: 0))
      kind = .typename
    case .variable, .computed:
      place = FieldPlace(besideRow: FieldID(rawValue: 0))
      kind = .other
    }
  }
}
