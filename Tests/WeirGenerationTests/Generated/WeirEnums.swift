// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
public import Weir

extension Blog {
  public nonisolated enum AllCases: GraphQLEnum {
    case c
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [.c]
    public init(rawValue: String) {
      switch rawValue {
      case "C": self = .c
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .c: "C"
      case .unrecognized(let value): value
      }
    }
  }
}

extension Blog {
  /// The shelf on which a post belongs.
  public nonisolated enum Genre: GraphQLEnum {
    case fiction
    case selfHelp
    /// Written before the war.
    case before1940
    case self_
    case `default`
    /// Deprecated: Use BEFORE1940.
    case old
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [
      .fiction,
      .selfHelp,
      .before1940,
      .self_,
      .`default`,
      .old
    ]
    public init(rawValue: String) {
      switch rawValue {
      case "FICTION": self = .fiction
      case "SELF_HELP": self = .selfHelp
      case "BEFORE1940": self = .before1940
      case "self": self = .self_
      case "default": self = .`default`
      case "OLD": self = .old
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .fiction: "FICTION"
      case .selfHelp: "SELF_HELP"
      case .before1940: "BEFORE1940"
      case .self_: "self"
      case .`default`: "default"
      case .old: "OLD"
      case .unrecognized(let value): value
      }
    }
  }
}

extension Blog {
  /// The names are those of an enumeration's associated types.
  public nonisolated enum RawValue: GraphQLEnum {
    case a
    case b
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [.a, .b]
    public init(rawValue: String) {
      switch rawValue {
      case "A": self = .a
      case "B": self = .b
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .a: "A"
      case .b: "B"
      case .unrecognized(let value): value
      }
    }
  }
}

extension Blog {
  public nonisolated enum Type__: GraphQLEnum {
    case self__
    case self_
    case Self_
    case A_B
    case aB
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [.self__, .self_, .Self_, .A_B, .aB]
    public init(rawValue: String) {
      switch rawValue {
      case "self": self = .self__
      case "self_": self = .self_
      case "Self": self = .Self_
      case "A_B": self = .A_B
      case "aB": self = .aB
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .self__: "self"
      case .self_: "self_"
      case .Self_: "Self"
      case .A_B: "A_B"
      case .aB: "aB"
      case .unrecognized(let value): value
      }
    }
  }
}

extension Blog {
  public nonisolated enum Type_: GraphQLEnum {
    case a
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [.a]
    public init(rawValue: String) {
      switch rawValue {
      case "A": self = .a
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .a: "A"
      case .unrecognized(let value): value
      }
    }
  }
}

extension Blog {
  /// The name is a keyword.
  public nonisolated enum `class`: GraphQLEnum {
    case __
    case _1
    case b
    case init_
    /// A value that the schema did not have when this was generated.
    case unrecognized(String)

    public static let allCases: [Self] = [.__, ._1, .b, .init_]
    public init(rawValue: String) {
      switch rawValue {
      case "_": self = .__
      case "_1": self = ._1
      case "_b": self = .b
      case "init": self = .init_
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .__: "_"
      case ._1: "_1"
      case .b: "_b"
      case .init_: "init"
      case .unrecognized(let value): value
      }
    }
  }
}
