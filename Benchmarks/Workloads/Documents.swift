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

  /// The same by pages.
  static let todoPages = """
    query TodoPages($first: Int!, $after: String) {
      todoPages(first: $first, after: $after) {
        edges {
          cursor
          node {
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
        pageInfo {
          hasNextPage
          endCursor
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

  /// The todo in a slot of the screen.
  static let todoView = """
    query TodoView($slot: Int!) {
      todoAt(slot: $slot) {
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

  static let oneTodo = "query One($id: ID!) { todo(id: $id) { id text complete } }"

  static let updateTodo = """
    mutation UpdateTodo($id: ID!, $text: String!, $complete: Boolean!) {
      updateTodo(id: $id, text: $text, complete: $complete) {
        id
        text
        complete
      }
    }
    """

  static let createTodo =
    "mutation CreateTodo($id: ID!) { createTodo(id: $id) { id text complete } }"

  /// A document of 30 lines with a connection, literal arguments and a fragment.
  static let feed = feed(name: "FeedPage")

  /// `Documents.feed` for operations that are made without variables: required ones would be missing.
  static func feedWithoutVariables(name: String = "FeedPage") -> String {
    feed(name: name, declaring: "")
  }

  static func feed(
    name: String,
    declaring variables: String = "($first: Int!, $after: String, $filter: FeedFilter)"
  ) -> String {
    """
    query \(name)\(variables) {
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

  /// Returns that document `count` times in one text, each operation under its own name.
  static func feeds(_ count: Int) -> String {
    (0..<count).map { index in
      feed(name: "FeedPage\(index)").replacing("AuthorCard", with: "AuthorCard\(index)")
    }.joined(separator: "\n\n")
  }
}

/// Variables of the documents that have only an `id`.
struct IDVariables: Encodable, Sendable {
  let id: String
}

/// Variables of `Documents.todoView`.
struct SlotVariables: Encodable, Sendable {
  let slot: Int
}

/// Variables of `Documents.updateTodo`.
struct UpdateTodoVariables: Encodable, Sendable {
  let id: String
  let text: String
  let complete: Bool
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

  /// The same as a literal.
  static let sampleValue: JSONValue = [
    "first": 20, "after": "Y3Vyc29yOjEyMw==",
    "filter": [
      "tags": ["swift", "graphql"], "author": ["id": "7"],
      "range": ["from": 1_700_000_000, "to": 1_800_000_000], "includeDrafts": false,
    ],
  ]
}

/// The documents as typed operations.
enum Queries {
  static let post = Query<PostData, IDVariables>(GraphQLDocument(Documents.post))
  static let todos = Query<TodosData, NoVariables>(GraphQLDocument(Documents.todos))
  static let todoPages =
    Query<TodoPagesData, PageVariables>(GraphQLDocument(Documents.todoPages))
  static let todoView = Query<TodoViewData, SlotVariables>(GraphQLDocument(Documents.todoView))
  static let oneTodo = Query<OneTodoData, IDVariables>(GraphQLDocument(Documents.oneTodo))
  static let updateTodo =
    Mutation<UpdatedTodoData, UpdateTodoVariables>(GraphQLDocument(Documents.updateTodo))
  static let createTodo =
    Mutation<CreatedTodoData, IDVariables>(GraphQLDocument(Documents.createTodo))
  static let updatePost =
    Mutation<UpdatedPostData, UpdatePostVariables>(GraphQLDocument(Documents.updatePost))
}
