"""What is posted to each kind of channel."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kafkaconsole.notifications.models import ChannelKind, Message
from kafkaconsole.notifications.telling import Story
from kafkaconsole.notifications.topics import Topic

CARD = "application/vnd.microsoft.card.adaptive"
TEST_TEXT = "This is a test of Kafka Console. Messages reach this channel."


def body_for(kind: str, messages: Sequence[Message], stories: Sequence[Story], verbs: Sequence[str]) -> bytes:
    """The JSON body. A channel speaks English: many people with many languages read it.

    A webhook gets one message at a time, the others may get several as one text. `verbs` are those of the events.
    """
    if kind == ChannelKind.SLACK:
        made: object = {"text": _slack(stories) or TEST_TEXT}
    elif kind == ChannelKind.TEAMS:
        made = _card(stories)
    else:
        made = _plain(messages[0], stories[0] if stories else None, verbs[0] if verbs else "")
    return json.dumps(made, ensure_ascii=False, sort_keys=True).encode()


def _plain(message: Message, story: Story | None, verb: str) -> dict[str, object]:
    made: dict[str, object] = {
        "id": message.pk,
        "about": message.topic,
        "at": message.created_at.isoformat(),
        "event": verb or None,
    }
    if story is None:
        return {**made, "text": TEST_TEXT if message.topic == Topic.TEST else ""}
    request, plan = story.request, story.request.plan
    made["text"] = " ".join(story.happened)
    made["request"] = {
        "id": request.pk,
        "url": story.url,
        "title": story.title,
        "state": request.state,
        "cluster": request.cluster.name,
        "group": request.group_name,
        "team": request.team.slug,
        "requester": request.requester.username,
        "reason": request.reason,
    }
    made["plan"] = plan and {
        "digest": plan.digest,
        "replayed": plan.replayed,
        "skipped": plan.skipped,
        "changed_partitions": plan.changed_count,
        "partitions": plan.partitions_count,
    }
    return made


def _slack(stories: Sequence[Story]) -> str:
    return "\n\n".join(_slack_story(story) for story in stories)


def _slack_story(story: Story) -> str:
    """In Slack's mark-up, in which three letters have to be escaped and nothing else."""
    lines = [f"*{_escaped(story.title)}*", *(_escaped(said) for said in story.happened)]
    if story.impact:
        lines += [_escaped(story.impact.totals), *(f"`{bar}`" for _, bar in story.impact.lanes if bar)]
        lines += [f"Digest `{story.impact.digest}`"]
    return "\n".join([*lines, f"<{story.url}|Request {story.request.pk} ({_escaped(story.state)})>"])


def _escaped(text: str) -> str:
    for letter, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(letter, escape)
    return text


def _card(stories: Sequence[Story]) -> dict[str, object]:
    """An Adaptive Card in the envelope that Teams' webhooks (Workflows) take."""
    blocks = [block for story in stories for block in _card_story(story)]
    content = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": blocks or [_block(TEST_TEXT)],
        "actions": [
            {"type": "Action.OpenUrl", "title": f"Request {story.request.pk}", "url": story.url} for story in stories
        ],
    }
    return {"type": "message", "attachments": [{"contentType": CARD, "content": content}]}


def _card_story(story: Story) -> list[dict[str, object]]:
    blocks = [_block(story.title, weight="Bolder"), *(_block(said) for said in story.happened)]
    if story.impact:
        blocks.append(_block(story.impact.totals))
        blocks += [_block(bar, fontType="Monospace") for _, bar in story.impact.lanes if bar]
        blocks.append(_block(f"Digest {story.impact.digest}", fontType="Monospace", size="Small"))
    return blocks


def _block(text: str, **looks: str) -> dict[str, object]:
    return {"type": "TextBlock", "text": text, "wrap": True, **looks}
