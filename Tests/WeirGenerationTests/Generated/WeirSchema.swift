// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
public import Weir

/// The types of the schema that documents use.
public nonisolated enum Blog {
  /// What caches know about these types; pass it to their configurations.
  public static let schema = GraphQLSchema(generated: "schema{query:Query mutation:Mutation subscription:Subscription}type Author implements Node&Named{id:ID!name:String!posts:[Post!]!}interface Counted{_:Int}union Data=Data_|Tag type Data_{id:ID!}type Meeting{Type:Type Type_:Type_ Item:Tag item:Tag Item_:Int data:Data other:Other}type Mutation{rename(id:ID!title:String!):Post}interface Named{name:String!}interface Node{id:ID!}union Other=other|other_ type Post implements Node{id:ID!title:String!genre:Genre!genres:[Genre!]tags:[String!]!published:DateTime price:Money author:Author related:[Post!]!likes:Int!rating:Float isDraft:Boolean!subtitle:String}type Query implements Counted{posts(first:Int!filter:PostFilter):[Post!]!post(id:ID!):Post search(text:String!):[SearchResult!]!node(id:ID!):Node matrix:[[Int]!]grid:[[Post!]]holes:[Post]echo(genres:[[Genre!]]ids:[ID!]ratio:Float):Boolean query:Query!_:Int odd(class:class init:init):class meeting(Type:Type Type_:Type_ Self:Self by:By):Meeting raw(raw:RawValue):AllCases}union SearchResult=Post|Author|Tag type Subscription{postChanged:Post}type Tag implements Named&Counted{_:Int name:String!parent:Tag}type other{id:ID!}type other_{id:ID!}")

  /// The object types that interfaces and unions stand for.
  public nonisolated enum Types {
    public static let Named = TypeSet("Author Tag")
    public static let Node = TypeSet("Author Post")
    public static let SearchResult = TypeSet("Author Post Tag")
  }
}
