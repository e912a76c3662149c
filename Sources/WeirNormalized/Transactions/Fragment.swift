public import Weir

/// A fragment whose data has a type of yours, to read and write single entities with.
///
/// ```swift
/// let card = try Fragment<Card>("fragment Card on Author { id name }")
/// let ada = Entity("Author", id: "7")
/// let author: Card? = try store.read(card, of: ada)
/// try store.update(card, of: ada) { $0.name = "Beth" }
/// ```
public struct Fragment<Data: Decodable & Sendable>: Sendable {
  /// The fragment without the type.
  public let untyped: GraphQLFragment

  /// Gives a fragment's data a type.
  public init(_ fragment: GraphQLFragment) {
    untyped = fragment
  }

  /// Parses a fragment and the fragments that it uses.
  ///
  /// - Parameters:
  ///   - text: one or several fragment definitions; the first is the fragment.
  ///   - variables: values for the variables that occur in it.
  /// - Throws: ``StoreError`` with the code `fragment` if the text is not a fragment.
  public init(_ text: String, variables: JSONValue = [:]) throws(StoreError) {
    untyped = try GraphQLFragment(text, variables: variables)
  }
}
