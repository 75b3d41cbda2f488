"""Template tags for the console's own things: offsets, counts, durations, states, the ruler. Built in to every template."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django import template
from django.forms import BoundField, CheckboxInput, RadioSelect, Select
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from kafkaconsole.display import instants, ruler, ruler_words, sentences
from kafkaconsole.display.states import look_of
from kafkaconsole.errors import ConsoleError
from kafkaconsole.words import known

register = template.Library()

THEMES = ("light", "dark")


def _absent(word: str) -> SafeString:
    return format_html('<span class="none">{}</span>', word)


@register.filter
def offset(value: int | None) -> str:
    """An offset with its thousands apart; none is said in a word, never as a number."""
    return _absent(_("none")) if value is None else ruler_words.numbered(value)


@register.filter
def count(value: int | None) -> str:
    """A count with its thousands apart; one that is not known is said so, never shown as 0."""
    return _absent(_("not known")) if value is None else ruler_words.numbered(value)


@register.filter
def duration(value: timedelta | float | None) -> str:
    """A length of time in its two largest units; plain numbers are seconds."""
    if value is None:
        return _absent(_("not known"))
    return instants.duration(value if isinstance(value, timedelta) else timedelta(seconds=value))


@register.filter
def short_digest(value: str | None) -> str:
    """The first twelve figures of a digest in groups of four: what two people can compare by voice."""
    return _absent(_("no plan")) if not value else " ".join(value[at : at + 4] for at in range(0, 12, 4))


@register.simple_tag
def instant(value: datetime | None, style: str = "full") -> SafeString:
    """An instant in the reader's zone; `style` is full, short or clock. The tooltip is UTC."""
    if value is None:
        return format_html('<span class="none">{}</span>', _("never"))
    text = {"full": instants.full, "short": instants.short, "clock": instants.clock}[style](value)
    utc = instants.utc_iso(value)
    return format_html('<time datetime="{}" title="{}">{}</time>', utc, utc, text)


@register.simple_tag
def ago(value: datetime | None) -> SafeString:
    """How old something is; static/js/ages.js keeps it counting."""
    if value is None:
        return format_html('<span class="none">{}</span>', _("never"))
    utc = instants.utc_iso(value)
    return format_html('<time datetime="{}" title="{}" data-age>{}</time>', utc, utc, instants.ago(value))


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """One icon of the sprite; without a label it is decoration and hidden from screen readers."""
    address = f"{static('vendor/icons/icons.svg')}#{name}"
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>', label, address)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', address)


@register.inclusion_tag("components/state_tag.html")
def state_tag(state: str, more: str = "", kind: str = "request") -> dict[str, object]:
    """A state as word, icon and colour; `kind` is a key of `display.states.LOOKS`, `more` follows the word."""
    return {"look": look_of(kind, str(state)), "more": more, "state": str(state)}


@register.simple_tag
def sentence(problem: ConsoleError | Mapping[str, object] | None) -> str:
    """An error or a stored problem ({"code", "facts"}) as the sentence that people read."""
    if problem is None:
        return ""
    if isinstance(problem, ConsoleError):
        return sentences.sentence(problem.code, problem.facts)
    facts = problem.get("facts")
    return sentences.sentence(str(problem.get("code", "")), facts if isinstance(facts, Mapping) else {})


@register.filter
def said(text: object) -> str:
    """A text of ours that a row kept, in the reader's language."""
    return known(text)


@register.inclusion_tag("components/ruler.html", name="ruler")
def draw_ruler(line: ruler.Spanned, size: str = "row", name: str = "") -> dict[str, object]:
    """The offset ruler of a plan line, a standing or a sum; `size` is row or big. `name` overrides topic-partition."""
    target = getattr(line, "target", None)
    action = str(getattr(line, "action", "") or "")
    topic = getattr(line, "topic", "")
    spoken = name or (f"{topic}-{getattr(line, 'partition', '')}" if topic else "")
    bounds = {"log_start": line.log_start, "log_end": line.log_end, "committed": line.committed, "target": target}
    return {
        "ruler": ruler.measure(**bounds, action=action),
        "words": getattr(line, "words", "") or ruler_words.words(name=spoken, **bounds, action=action),
        "big": size == "big",
    }


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """The theme that this browser chose (light or dark), or nothing: then the system decides."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "") if isinstance(request, HttpRequest) else ""
    return chosen if chosen in THEMES else ""


@register.simple_tag(takes_context=True)
def with_query(context: template.Context, **changes: object) -> str:
    """This page's query string with some parameters changed; None or an empty text drops one."""
    request = context["request"]
    query = request.GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value not in (None, ""):
            query[name] = str(value)
    return f"?{query.urlencode()}"


@register.filter
def initials(person: object) -> str:
    """One or two letters for the round sign of a person."""
    words = str(person).split()
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()


NAV_PAGES = {
    "groups": ("groups", "group"),
    "requests": ("requests", "request"),
    "clusters": ("clusters", "cluster"),
    "teams": (
        "teams",
        "team",
        "ownership",
        "rights",
        "claims",
        "claim-new",
        "people",
        "channels",
        "channel",
        "deliveries",
    ),
}


@register.simple_tag(takes_context=True)
def nav_current(context: template.Context, to: str) -> SafeString:
    """`aria-current` for the navigation entry under which this page lies."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    here = (getattr(match, "url_name", "") or "") if match else ""
    names = NAV_PAGES.get(to, (to,))
    if any(here == name or here.startswith(f"{name}-") for name in names):
        return format_html(' aria-current="{}"', "page" if here == to else "true")
    return SafeString("")


@register.simple_tag
def widget(field: BoundField) -> SafeString:
    """A bound field's widget in our clothes; Django ties help and errors to it (aria-describedby, aria-invalid)."""
    given = field.field.widget
    wear = "form-select" if isinstance(given, Select) and not isinstance(given, RadioSelect) else "form-control"
    if isinstance(given, CheckboxInput):
        wear = "form-check-input"
    return field.as_widget(attrs={"class": f"{given.attrs.get('class', '')} {wear}".strip()})
