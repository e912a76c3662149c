// Tests that import WeirTesting can also use the in-process server.
@_exported public import WeirLocalServer
