"""The API is as its OpenAPI document says, also for what nobody would ask."""

from __future__ import annotations

import json

import pytest

from serve_tools import client

pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

_LINES = st.one_of(
    st.binary(max_size=200),
    st.lists(st.one_of(st.text(), st.fixed_dictionaries({"text": st.text()}), st.integers())).map(
        lambda values: "\n".join(map(json.dumps, values)).encode()
    ),
)
schemathesis.openapi.media_type("application/x-ndjson", _LINES)

schema = schemathesis.openapi.from_asgi("/openapi.json", client().app)


@schema.parametrize()
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_api_is_as_described(case):
    response = case.call()
    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_headers_conformance,
            response_schema_conformance,
        ],
    )
