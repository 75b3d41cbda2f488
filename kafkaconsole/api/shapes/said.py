"""What the API answers to a comment."""

from __future__ import annotations

from ninja import Field

from kafkaconsole.api.shapes.requests import RequestOut


class CommentedOut(RequestOut):
    """The request as it is then, and whom the comment names in vain."""

    unknown_names: list[str] = Field(
        [], description="Names after an `@` that mean nobody who may see the request: nobody was told there"
    )
