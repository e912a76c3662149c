// Users import `Weir` alone, and find JSON and the logical clock there.
@_exported public import WeirJSON
@_exported public import WeirSupport
