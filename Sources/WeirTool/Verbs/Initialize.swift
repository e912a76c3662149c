import GraphQLValidation
import WeirGeneration

extension Verb {
  static let initialize = Verb(
    name: "init", summary: "Writes a weir.json; also from the configuration of Apollo iOS.",
    options: [
      Option(name: "--from", value: "FILE", help: "the configuration of Apollo's code generation"),
      Option(name: "--root", value: "DIR", help: "the folder for weir.json; by default this one"),
      Option(name: "--force", help: "replace the weir.json that is there"),
    ]
  ) { (invocation) throws(ToolFailure) in
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    try arguments.expectOperands(0...0, "")
    let root = arguments["--root"] ?? "."
    let path = environment.path(root + "/weir.json")
    if environment.fileExists(path), !arguments.has("--force") {
      throw ToolFailure(.usage, "The file exists. Replace it with --force.", path: path)
    }
    var settings = MigratedSettings()
    if let source = arguments["--from"] {
      settings = try ApolloConfiguration.read(
        environment.path(source), root: environment.path(root))
    } else {
      settings.remarks = [
        "Next, fetch the schema: weir schema fetch URL -o schema.graphqls. Then write documents "
          + "*.graphql, and add the plugin WeirCodegen to the target, or run weir generate."
      ]
    }
    if let mistake = settings.mistake(path) { throw ToolFailure(.usage, [mistake]) }
    try WrittenFile.write(settings.text, to: path)
    environment.write(path)
    for remark in settings.remarks { environment.write(remark) }
  }
}
