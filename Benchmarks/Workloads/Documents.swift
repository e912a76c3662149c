import Weir

/// The documents that are measured.
enum Documents {
  static let todos = """
    query Todos {
      todos {
        id
        text
        complete
        due
        author {
          id
          name
        }
      }
    }
    """

  static let post = """
    query Post($id: ID!) {
      post(id: $id) {
        id
        title
        body
        published
        author {
          id
          name
        }
      }
    }
    """

  static let updatePost = """
    mutation UpdatePost($id: ID!, $title: String!) {
      updatePost(id: $id, title: $title) {
        id
        title
      }
    }
    """

  /// 30 lines: a connection, literal arguments, a fragment.
  static let feed = feed(name: "FeedPage")

  static func feed(name: String) -> String {
    """
    query \(name)($first: Int!, $after: String, $filter: FeedFilter) {
      feed(first: $first, after: $after, filter: $filter) {
        edges {
          cursor
          node {
            id
            title
            createdAt
            author {
              ...AuthorCard
            }
            comments(first: 3) {
              id
              body
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }

    fragment AuthorCard on User {
      id
      name
      handle
      avatar(size: 64)
    }
    """
  }

  /// So many times 30 lines, each operation under a name of its own.
  static func feeds(_ count: Int) -> String {
    (0..<count).map { index in
      feed(name: "FeedPage\(index)").replacing("AuthorCard", with: "AuthorCard\(index)")
    }.joined(separator: "\n\n")
  }
}

/// Variables of `Documents.post`.
struct PostVariables: Encodable, Sendable {
  let id: String
}

/// Variables of `Documents.updatePost`.
struct UpdatePostVariables: Encodable, Sendable {
  let id: String
  let title: String
}

/// Variables of `Documents.feed`: nested three levels deep.
struct FeedVariables: Encodable, Sendable {
  struct Filter: Encodable, Sendable {
    struct Author: Encodable, Sendable {
      let id: String
    }

    struct Range: Encodable, Sendable {
      let from: Int
      let to: Int
    }

    let tags: [String]
    let author: Author
    let range: Range
    let includeDrafts: Bool
  }

  let first: Int
  let after: String
  let filter: Filter

  static let sample = FeedVariables(
    first: 20, after: "Y3Vyc29yOjEyMw==",
    filter: Filter(
      tags: ["swift", "graphql"], author: Filter.Author(id: "7"),
      range: Filter.Range(from: 1_700_000_000, to: 1_800_000_000), includeDrafts: false))

  /// The same in literal form.
  static let sampleValue: JSONValue = [
    "first": 20, "after": "Y3Vyc29yOjEyMw==",
    "filter": [
      "tags": ["swift", "graphql"], "author": ["id": "7"],
      "range": ["from": 1_700_000_000, "to": 1_800_000_000], "includeDrafts": false,
    ],
  ]
}

/// The typed forms.
enum Queries {
  static let post = Query<PostData, PostVariables>(GraphQLDocument(Documents.post))
  static let todos = Query<TodosData, NoVariables>(GraphQLDocument(Documents.todos))
  static let updatePost =
    Mutation<UpdatedPostData, UpdatePostVariables>(GraphQLDocument(Documents.updatePost))
}
