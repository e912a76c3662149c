// @generated from Meeting.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Meeting: GeneratedQuery {
  public var Type__: Input<Blog.Type__>
  public var Type_: Input<Blog.Type_>
  public var Self_: Input<Blog.Self_>
  public var by: Input<Blog.By>

  public init(
    Type__: Blog.Type__? = nil,
    Type_: Blog.Type_? = nil,
    Self_: Blog.Self_? = nil,
    by: Blog.By? = nil
  ) {
    self.init(Type__: Input(Type__), Type_: Input(Type_), Self_: Input(Self_), by: Input(by))
  }
  @_disfavoredOverload
  public init(
    Type__: Input<Blog.Type__> = .absent,
    Type_: Input<Blog.Type_> = .absent,
    Self_: Input<Blog.Self_> = .absent,
    by: Input<Blog.By> = .absent
  ) {
    self.Type__ = Type__
    self.Type_ = Type_
    self.Self_ = Self_
    self.by = by
  }

  public static let document = GraphQLDocument(
    "query Meeting($Type:Type$Type_:Type_$Self:Self$by:By){meeting(Type:$Type Type_:$Type_ Self:$Self by:$by){Type Type_ Item{name}item{name}Item_ data{...on Data_{id}}other{...on other{id}...on other_{id}}}...Input}",
    fragments: [Input_.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("Self", Self_)
    variables.write("Type", Type__)
    variables.write("Type_", Type_)
    variables.write("by", by)
  }

  public nonisolated struct Data: SelectionData {
    public var meeting: Meeting?
    public var input: Input_

    public init(meeting: Meeting? = nil, input: Input_) {
      self.meeting = meeting
      self.input = input
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(meeting: fields.value("meeting"), input: fields.part())
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("meeting", meeting)
      fields.part(input)
    }

    public nonisolated struct Meeting: SelectionData {
      public var Type__: Blog.Type__?
      public var Type_: Blog.Type_?
      public var Item: Item__?
      public var item: Item___?
      public var Item_: Int?
      public var data: Data?
      public var other: Other?

      public init(
        Type__: Blog.Type__? = nil,
        Type_: Blog.Type_? = nil,
        Item: Item__? = nil,
        item: Item___? = nil,
        Item_: Int? = nil,
        data: Data? = nil,
        other: Other? = nil
      ) {
        self.Type__ = Type__
        self.Type_ = Type_
        self.Item = Item
        self.item = item
        self.Item_ = Item_
        self.data = data
        self.other = other
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          Type__: fields.value("Type"),
          Type_: fields.value("Type_"),
          Item: fields.value("Item"),
          item: fields.value("item"),
          Item_: fields.value("Item_"),
          data: fields.value("data"),
          other: fields.value("other")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Meeting")
        fields.write("Type", Type__)
        fields.write("Type_", Type_)
        fields.write("Item", Item)
        fields.write("item", item)
        fields.write("Item_", Item_)
        fields.write("data", data)
        fields.write("other", other)
      }

      public nonisolated struct Item__: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.value("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Tag")
          fields.write("name", name)
        }
      }

      public nonisolated struct Item___: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.value("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Tag")
          fields.write("name", name)
        }
      }

      public nonisolated struct Data: SelectionData {
        public var __typename: String
        public var on: On

        public nonisolated enum On: Hashable, Sendable {
          case data_(AsData_)
          case other
        }
        public var asData_: AsData_? { if case .data_(let value) = on { value } else { nil } }

        public init(__typename: String, on: On = .other) {
          self.__typename = __typename
          self.on = on
        }
        public init(reading fields: inout FieldReader) throws {
          let typename = try fields.typename()
          try self.init(
            __typename: typename,
            on: typename == "Data_" ? .data_(fields.part())
              : .other
          )
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename(__typename)
          fields.part(asData_)
        }

        public nonisolated struct AsData_: SelectionData, Identifiable {
          public var id: String

          public init(id: String) {
            self.id = id
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(id: fields.value("id"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.write("id", id)
          }
        }
      }

      public nonisolated struct Other: SelectionData {
        public var __typename: String
        public var on: On

        public nonisolated enum On: Hashable, Sendable {
          case other__(AsOther)
          case other_(AsOther_)
          case other
        }
        public var asOther: AsOther? { if case .other__(let value) = on { value } else { nil } }
        public var asOther_: AsOther_? { if case .other_(let value) = on { value } else { nil } }

        public init(__typename: String, on: On = .other) {
          self.__typename = __typename
          self.on = on
        }
        public init(reading fields: inout FieldReader) throws {
          let typename = try fields.typename()
          try self.init(
            __typename: typename,
            on: typename == "other" ? .other__(fields.part())
              : typename == "other_" ? .other_(fields.part())
              : .other
          )
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename(__typename)
          fields.part(asOther)
          fields.part(asOther_)
        }

        public nonisolated struct AsOther: SelectionData, Identifiable {
          public var id: String

          public init(id: String) {
            self.id = id
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(id: fields.value("id"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.write("id", id)
          }
        }

        public nonisolated struct AsOther_: SelectionData, Identifiable {
          public var id: String

          public init(id: String) {
            self.id = id
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(id: fields.value("id"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.write("id", id)
          }
        }
      }
    }
  }
}

public nonisolated struct Input_: FragmentData {
  public var echo: Bool?

  public static let document = GraphQLDocument("fragment Input on Query{echo}")

  public init(echo: Bool? = nil) {
    self.echo = echo
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(echo: fields.read("echo"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.write("echo", echo)
  }
}
