// A test that imports WeirTesting has the in-process server, too.
@_exported public import WeirLocalServer
