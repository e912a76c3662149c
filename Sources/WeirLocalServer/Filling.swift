public import Weir

extension LocalServer {
  /// The values of fields without a resolver that their objects lack.
  ///
  /// ```swift
  /// let server = try LocalServer(schema: sdl, filling: .samples(seed: 1))
  /// ```
  public struct Filling: Sendable {
    let seed: UInt64
    let nulls: Double
    let scalars: [String: [JSONValue]]

    /// Values that fit the types of the fields.
    ///
    /// They depend on the seed, the object, the field, and its arguments only, so each request gets the
    /// same ones. Objects with the same type and `id` are equal, and a field with an argument `id`
    /// returns the object with this `id`. A string is the field's name and a number. A list has one
    /// to three elements; below three lists it has one, so that the size of a response is limited. A
    /// value of an interface or a union has one of the possible types. A subscription sends three
    /// events and completes.
    ///
    /// An object that a resolver returns is filled, too: to keep a member empty, return it as null.
    /// (The encoders that the compiler synthesizes leave out members that are nil.)
    ///
    /// - Parameters:
    ///   - seed: The number that the values depend on.
    ///   - nulls: The share of null among the values of nullable types, from 0 to 1, and that of
    ///     empty lists among lists.
    ///   - scalars: The values of scalars, by their names: those of `ID`, for example, if your ids
    ///     are UUIDs. By default, custom scalars with well-known names, such as `DateTime`, `URL`,
    ///     `UUID` and `JSON`, have suitable values; others are strings.
    /// - Returns: the filling. The server refuses scalars that its schema lacks.
    public static func samples(
      seed: UInt64, nulls: Double = 0, scalars: [String: [JSONValue]] = [:]
    ) -> Filling {
      Filling(seed: seed, nulls: nulls, scalars: scalars)
    }
  }
}
