/// Variables as canonical bytes, which are equal if the variables are, and the files among them.
struct CanonicalVariables {
  /// An object with sorted keys and without white space, with null in place of files.
  var bytes: CompactBytes
  var uploads: [PlacedUpload]

  static let none = CanonicalVariables(bytes: CompactBytes("{}"))

  var isEmpty: Bool { bytes.count <= 2 }

  init(_ encoded: JSONWithAttachments) {
    bytes = encoded.bytes
    uploads = encoded.attachments.compactMap { path, value in
      (value as? Upload).map { upload in
        PlacedUpload(path: path.map(\.stringValue).joined(separator: "."), upload: upload)
      }
    }
  }

  init(bytes: CompactBytes, uploads: [PlacedUpload] = []) {
    self.bytes = bytes
    self.uploads = uploads
  }

  /// Encodes variables in literal form, with files at their paths.
  static func encode(
    _ variables: JSONValue, uploads: [String: Upload] = [:]
  ) throws(OperationError) -> CanonicalVariables {
    if case .object(let members) = variables, members.isEmpty, uploads.isEmpty { return none }
    return try object {
      var variables = variables
      let placed = uploads.sorted { $0.key < $1.key }.map { PlacedUpload(path: $0, upload: $1) }
      for upload in placed {
        guard variables.setNull(at: upload.path.split(separator: ".")[...]) else {
          throw OperationError.variables(
            "The variables have no place for the file at \(upload.path): pass every object and list"
              + " on the way to it.")
        }
      }
      do throws(JSONError) {
        return CanonicalVariables(bytes: try variables.compactCanonicalBytes(), uploads: placed)
      } catch {
        throw variables.encodingError(error)
      }
    }
  }

  /// Encodes variables from a value; `spare` is reused from one encoding to the next.
  static func encode(
    _ variables: some Encodable, with spare: borrowing SpareEncoding
  ) throws(OperationError) -> CanonicalVariables {
    try object {
      CanonicalVariables(try JSON.encodeWithAttachments(variables, with: spare))
    }
  }

  private static func object(
    _ encode: () throws -> CanonicalVariables
  ) throws(OperationError) -> CanonicalVariables {
    do {
      let variables = try encode()
      guard variables.bytes.withBytes({ $0.first }) == UInt8(ascii: "{") else {
        throw OperationError.variables("The variables must be an object.")
      }
      return variables
    } catch let error as OperationError {
      throw error
    } catch {
      throw .variables("The variables cannot be encoded: \(error)", error)
    }
  }
}

extension JSONValue {
  /// Puts null at the end of a path, where a value may be missing; returns false if another part of
  /// the path is missing.
  fileprivate mutating func setNull(at path: ArraySlice<Substring>) -> Bool {
    guard let step = path.first else {
      self = .null
      return true
    }
    switch self {
    case .object(var members):
      let key = String(step)
      let known = members[key]
      guard known != Optional.none || path.count == 1 else { return false }
      var member = known ?? .null
      guard member.setNull(at: path.dropFirst()) else { return false }
      members[key] = member
      self = .object(members)
    case .array(var elements):
      guard let index = Int(step), elements.indices.contains(index) else { return false }
      guard elements[index].setNull(at: path.dropFirst()) else { return false }
      self = .array(elements)
    default:
      return false
    }
    return true
  }
}

extension GraphQLOperation {
  /// Creates an operation with variables in literal form that contain files.
  ///
  /// ```swift
  /// GraphQLOperation(
  ///   "mutation Send($note: String, $files: [Upload!]!) { send(note: $note, files: $files) { id } }",
  ///   variables: ["note": "Two photos", "files": [nil, nil]],
  ///   uploads: ["files.0": Upload(file: first), "files.1": Upload(file: second)])
  /// ```
  ///
  /// - Parameters:
  ///   - document: the operation, with the fragments that it uses.
  ///   - name: the name of the operation, if the document has several.
  ///   - variables: an object, in which lists have their final lengths.
  ///   - uploads: the files by path: keys and positions, separated by dots. A file replaces the
  ///     value at its path. If the path does not exist, the result of executing the operation is an
  ///     error with the code ``OperationError/Code/variables``.
  ///   - context: the settings of the execution.
  public init(
    _ document: GraphQLDocument, name: String? = nil, variables: JSONValue = [:],
    uploads: [String: Upload], context: OperationContext = OperationContext()
  ) {
    self.init(document.prepared(for: name), context) { () throws(OperationError) in
      try CanonicalVariables.encode(variables, uploads: uploads)
    }
  }
}
