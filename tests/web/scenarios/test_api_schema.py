"""The API is what its description says: schemathesis reads the one and asks the other.

All of its checks but one: that whatever fits the description is accepted. What a rule refuses, no description can say.

Few examples here, on the way; many by command: SCHEMA_EXAMPLES=500 pytest tests/web/scenarios/test_api_schema.py
"""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "5"))


@pytest.mark.parametrize("fitting", GenerationMode)
def test_what_is_served_is_what_is_described(served, fitting):
    """Asked what the description allows, and what it does not."""
    url, house = served
    token = house.guests.new("Robot").token
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "en"}
    schema = schemathesis.openapi.from_url(f"{url}/api/schema/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 10
    for operation in operations:

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=fitting))
        def ask(case):
            case.call_and_validate(headers=headers, timeout=60, excluded_checks=[positive_data_acceptance])

        with suppress(Unsatisfiable):  # nothing that could be wrong is sent there
            ask()
