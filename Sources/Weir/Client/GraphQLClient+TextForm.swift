extension GraphQLClient: CustomReflectable {
  /// The types of the exchanges; not what they hold, which may be credentials.
  public var customMirror: Mirror {
    Mirror(self, children: ["exchanges": exchanges.map { "\(type(of: $0))" }])
  }
}
