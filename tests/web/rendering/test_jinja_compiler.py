"""Our Jinja compiler generates simpler code with the same output."""

import jinja2
import pytest
from markupsafe import Markup

from veillee.web.rendering.jinja_compiler import LeanCodeGenerator, to_text
from veillee.web.rendering.templates import Environment

VALUES = ["plain", "<b> & \"'", "é’", "", 0, -3, True, None, 1.5, Markup("<i>"), ["<", Markup("<")], {"a": "&"}]
TEMPLATES = {
    "value": "{{ value }}|{{ value ~ '<' }}|{{ '<' }}|{% set said = value %}{{ said }}",
    "macro": "{% macro m(a, b='<') %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% endmacro %}"
    "{{ m(value) }}{{ m(value, b=2) }}{{ m(value, 3, 4, **{'x': value}) }}{{ m(*[value, 5]) }}",
    "caller": "{% macro m(a) %}<p>{{ a }}{{ caller() }}</p>{% endmacro %}{% call m(value) %}{{ value }}{% endcall %}",
    "loop": "{% for x in [value, 2] recursive %}{{ loop.index0 }}{{ x }}{{ loop.cycle('<', 'b') }}{% endfor %}",
    "words": "{{ t('<hello>') }}{{ t('{n} of <{who}>', n=2, who=value) }}{{ t('bye')|upper }}",
    "other words": "{% macro m(t) %}{{ t('<hello>') }}{% endmacro %}{{ m(spoken) }}",
    "import": "{% from 'macros' import twice %}{{ twice(value) }}{% include 'value' %}",
    "macros": "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}",
    "block": "{% block b %}{{ value }}{% endblock %}{{ self.b() }}",
    "safe": "{% autoescape false %}{{ value }}{% endautoescape %}{{ value|e }}{{ value|safe }}",
}


def words(message, **values):
    return {"<hello>": "<bonjour>"}.get(message, message).format_map(values)


def environment(kind):
    options = {"autoescape": True, "undefined": jinja2.StrictUndefined}
    env = kind(loader=jinja2.DictLoader(TEMPLATES), **options)
    env.globals |= {"t": words, "spoken": lambda message: f"{message}!"}
    return env


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_it_prints_what_jinja_prints(name, value):
    assert environment(Environment).code_generator_class is LeanCodeGenerator
    ours, jinjas = (
        environment(kind).get_template(name).render(value=value) for kind in (Environment, jinja2.Environment)
    )
    assert ours == jinjas


@pytest.mark.parametrize("source", ["{{ nothing }}", "{{ nothing() }}", "{{ value.nothing }}", "{{ value.nothing() }}"])
def test_what_is_not_there_is_an_error(source):
    with pytest.raises(jinja2.UndefinedError):
        environment(Environment).from_string(source).render(value={"a": 1})


def test_what_is_shown_says_by_itself_that_it_is_escaped():
    class Shown:
        def __html__(self):
            return "<hr>"

    assert to_text(Shown()) == "<hr>"
    assert to_text("<hr>") == "&lt;hr&gt;"
