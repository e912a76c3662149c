// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
import Weir

/// The types of the schema that documents use.
nonisolated enum TodoSchema {
  /// What caches know about these types; pass it to their configurations.
  static let schema = GraphQLSchema(generated: "schema{query:Query}type Author{id:ID!name:String!}type Post{id:ID!title:String!body:String!published:Boolean!author:Author!}type Query{todos:[Todo!]!todo(id:ID!):Todo post(id:ID!size:Int):Post!feed(first:Int!after:String filter:FeedFilter):[Post!]!}type Todo{id:ID!text:String!complete:Boolean!due:String!author:Author!}")
}
