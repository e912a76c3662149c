"""The same schema behind Ariadne, which streams only with its handler of event streams."""

from ariadne import ObjectType, SubscriptionType, make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLHTTPHandler
from ariadne.contrib.sse import GraphQLHTTPSSEHandler

import core


def make_schema():
    types = []
    for name, fields in core.RESOLVERS.items():
        made = ObjectType(name)
        for field, resolve in fields.items():
            made.set_field(field, resolve)
        types.append(made)
    types[0].set_field("countdown", core.countdown_list)
    subscription = SubscriptionType()
    for field, source in core.SOURCES.items():
        subscription.set_source(field, source)
        subscription.set_field(field, core.event)
    return make_executable_schema(core.SDL, *types, subscription)


SCHEMA = make_schema()


def context(request, data):
    return {"request": request, "space": request.scope["space"]}


VIEWS = {
    "ariadne": GraphQL(SCHEMA, context_value=context, http_handler=GraphQLHTTPSSEHandler()),
    "ariadne-plain": GraphQL(SCHEMA, context_value=context, http_handler=GraphQLHTTPHandler()),
}
