// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
