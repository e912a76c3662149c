import Foundation

extension HTTPRequest {
  /// Makes this a request with files by the GraphQL multipart request specification: the part
  /// `operations` with null in the place of files, the part `map` with the places of each file,
  /// then each file once.
  ///
  /// Throws if a file is missing or unreadable, so that a server never receives half of a request.
  mutating func setMultipart(
    _ content: GraphQLRequest, _ operation: GraphQLOperation
  ) throws(OperationError) {
    var form = MultipartForm()
    do throws(UploadError) {
      let files = UploadedFile.each(of: operation.uploads)
      form.addField("operations", content.body)
      form.addField("map", files.mapPart)
      for (number, file) in files.enumerated() {
        form.addFile(
          String(number), filename: file.upload.filename, mediaType: try file.mediaType(),
          try file.segment())
      }
    } catch {
      throw OperationError(error)
    }
    form.end()
    headers["content-type"] = form.contentType
    let body = HTTPStreamedBody(form.segments)
    streamedBody = body
    if let progress = operation.context.uploadProgress {
      let total = body.length
      streamedBody?.reportProgress = { progress.report(sent: $0, of: total) }
    }
  }
}

/// A file that is sent once, and its places in the variables.
private struct UploadedFile {
  let upload: Upload
  var paths: [String]

  /// Returns the files in the order of their first use.
  static func each(of placed: [PlacedUpload]) -> [UploadedFile] {
    var files: [UploadedFile] = []
    var numbers: [Upload: Int] = [:]
    for place in placed {
      if let number = numbers[place.upload] {
        files[number].paths.append(place.path)
      } else {
        numbers[place.upload] = files.count
        files.append(UploadedFile(upload: place.upload, paths: [place.path]))
      }
    }
    return files
  }

  func mediaType() throws(UploadError) -> String {
    let isValid = upload.mediaType.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard isValid, !upload.mediaType.isEmpty else { throw error(.mediaType) }
    return upload.mediaType
  }

  func segment() throws(UploadError) -> HTTPStreamedBody.Segment {
    switch upload.content {
    case .bytes(let bytes): .bytes(bytes.bytes)
    case .file(let url): .file(url, length: try length(of: url))
    }
  }

  /// Returns the length of a readable file. Checks its type first, because opening a pipe can block
  /// forever.
  private func length(of url: URL) throws(UploadError) -> Int {
    guard url.isFileURL else { throw error(.notAFile) }
    let resolved = url.resolvingSymlinksInPath()
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: resolved.path(percentEncoded: false))
      guard attributes[.type] as? FileAttributeType == .typeRegular,
        let size = attributes[.size] as? NSNumber
      else { throw error(.notAFile) }
      try FileHandle(forReadingFrom: resolved).close()
      return size.intValue
    } catch let error as UploadError {
      throw error
    } catch CocoaError.fileReadNoSuchFile {
      throw error(.missing)
    } catch {
      throw self.error(.unreadable, error)
    }
  }

  private func error(
    _ reason: UploadError.Reason, _ underlying: (any Error)? = nil
  ) -> UploadError {
    var file: URL?
    if case .file(let url) = upload.content { file = url }
    return UploadError(
      reason, path: paths.first ?? "", file: file, underlying: underlying)
  }
}

extension [UploadedFile] {
  /// `{"0":["variables.files.0"]}`: each part's number and places.
  fileprivate var mapPart: [UInt8] {
    var map = JSONObject()
    for (number, file) in enumerated() {
      map["\(number)"] = .array(file.paths.map { .string("variables.\($0)") })
    }
    return [UInt8](JSONValue.object(map).description.utf8)
  }
}
