// What the compiler refuses, with messages that name the right call. The compiler compares them.
import Weir

struct Renamed: Decodable, Sendable { var rename: String }
struct Rename: Encodable, Sendable { var id: String }

let feed = Query<Renamed, NoVariables>("{ feed }")
let rename = Mutation<Renamed, Rename>("mutation R($id: ID!) { rename(id: $id) }")
let reset = Mutation<Renamed, NoVariables>("mutation { reset }")
let renames = Subscription<Renamed, NoVariables>("subscription { renames }")

func wrongKinds(_ client: GraphQLClient) async {
  _ = await client.query(reset)  // expected-error {{Call `mutate` with a mutation.}}
  _ = await client.query(rename, Rename(id: "1"))  // expected-error {{Call `mutate` with}}
  _ = await client.query(rename, Rename(id: "1"), context: .networkOnly)  // expected-error {{`mutate`}}
  _ = await client.query(renames)  // expected-error {{Call `subscribe` with a subscription.}}
  _ = client.results(of: reset)  // expected-error {{Call `mutate` with a mutation.}}
  _ = client.watch(reset)  // expected-error {{Call `mutate` with a mutation.}}
  _ = client.watch(renames)  // expected-error {{Call `subscribe` with a subscription.}}
  _ = await client.mutate(feed)  // expected-error {{Call `query` with a query.}}
  _ = client.subscribe(feed)  // expected-error {{Call `watch` to follow a query.}}
  _ = await client.query(feed)
}
