"""Views for other forms of requests: registered and persisted documents, and batches."""

import hashlib
import json

import strawberry
from graphql import GraphQLError
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http import GraphQLRequestData
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionResult

from schema import Mutation, Query

BATCH_SCHEMA = strawberry.Schema(
    query=Query, mutation=Mutation,
    config=StrawberryConfig(batching_config={"max_operations": 5}))


def refuse(message, code):
    return ExecutionResult(data=None, errors=[GraphQLError(message, extensions={"code": code})])


class View(GraphQL):
    async def get_context(self, request, response):
        return {"request": request, "response": response, "space": request.scope["space"]}


class SocketView(View):
    """graphql-transport-ws; a client whose token is `bad` is refused with 4403."""

    async def on_ws_connect(self, context):
        if context["connection_params"].get("token") == "bad":
            raise ConnectionRejectionError
        return await super().on_ws_connect(context)


class PersistedView(View):
    """Automatic persisted queries; each space has its own documents."""

    async def execute_single(self, *, context, request_data, **others):
        persisted = (request_data.extensions or {}).get("persistedQuery")
        if persisted is not None:
            known, digest = context["space"].documents, persisted.get("sha256Hash")
            if persisted.get("version") != 1:
                return refuse("Unsupported version", "PERSISTED_QUERY_NOT_SUPPORTED")
            if request_data.query is None:
                if digest not in known:
                    return refuse("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
                request_data.query = known[digest]
            elif hashlib.sha256(request_data.query.encode()).hexdigest() != digest:
                return refuse("provided sha does not match query", "BAD_REQUEST")
            known[digest] = request_data.query
        return await super().execute_single(context=context, request_data=request_data, **others)


class UnpersistedView(View):
    """Refuses hashes, like a server that does not support them."""

    async def execute_single(self, *, request_data, **others):
        if "persistedQuery" in (request_data.extensions or {}):
            return refuse("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
        return await super().execute_single(request_data=request_data, **others)


class TrustedView(View):
    """Executes only documents of the space's manifest, by their `documentId`."""

    async def parse_http_body(self, request):
        if request.method == "GET":
            data = self.parse_query_params(request.query_params)
            document = request.query_params.get("documentId")
        else:
            data = self.parse_json(await request.get_body())
            document = data.get("documentId")
        return GraphQLRequestData(
            query=document, variables=data.get("variables"),
            operation_name=data.get("operationName"), extensions=data.get("extensions"))

    async def execute_single(self, *, context, request_data, **others):
        request_data.query = context["space"].documents.get(request_data.query)
        if request_data.query is None:
            return refuse("There is no such document", "PERSISTED_DOCUMENT_NOT_FOUND")
        return await super().execute_single(context=context, request_data=request_data, **others)


def register(here, manifest):
    """Accepts a manifest in Apollo's form."""
    for operation in json.loads(manifest)["operations"]:
        here.documents[operation["id"]] = operation["body"]
