import Foundation

/// The command `weir`.
@main
struct Main {
  static func main() async {
    let code = await Tool.run(Array(CommandLine.arguments.dropFirst()), in: .process)
    exit(code)
  }
}
