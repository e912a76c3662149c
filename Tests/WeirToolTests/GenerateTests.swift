@testable import WeirTool
