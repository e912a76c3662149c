import Foundation
import WeirGeneration

extension GenerationConfiguration {
  /// Reads the configuration of a folder, or the one at a path; the default one if there is neither.
  init(_ sources: SourceFolder, path: String?) throws(Failure) {
    guard sources.configurationPaths.count <= 1 || path != nil else {
      throw Failure(
        .usage,
        sources.configurationPaths.map {
          "\(sources.fullPath($0)): error: The folder has several configurations. Keep one of them."
        }.joined(separator: "\n"))
    }
    guard let path = path ?? sources.configurationPaths.first.map(sources.fullPath) else {
      self.init()
      return
    }
    let text = try SourceFolder.read(path)
    do throws(GenerationFinding) {
      // The whole path: others are relative to the folder of the documents.
      try self.init(parsing: text, path: URL(fileURLWithPath: path).standardizedFileURL.path)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}

extension GenerationModule {
  /// Reads the files of a module that the one at hand depends on.
  init(_ name: String, _ sources: SourceFolder) throws(Failure) {
    let configuration = try GenerationConfiguration(sources, path: nil)
    let (schema, documents) = try sources.parse(needsSchema: false, showsWholePaths: true)
    self.init(name: name, schema: schema, documents: documents, configuration: configuration)
  }
}
