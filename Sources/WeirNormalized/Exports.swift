// Entities, policies and diagnostics are declared where records are read and written, but are part of
// this module for its users.
@_exported public import WeirRecords
