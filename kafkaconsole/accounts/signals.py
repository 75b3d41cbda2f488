"""What happens to people and tokens, told inside the transaction: the audit app listens (accounts itself imports no audit)."""

from django.dispatch import Signal

token_created = Signal()  # token: ApiToken, by: User
token_revoked = Signal()  # token: ApiToken, by: User
person_added = Signal()  # person: User, by: User
person_changed = Signal()  # person: User, by: User, changed: {field: [before, after]}
password_given = Signal()  # person: User, by: User
password_changed = Signal()  # person: User
sessions_ended = Signal()  # person: User, by: User, count: int
provider_linked = Signal()  # person: User, subject: str: the provider's name for them
provider_refused = Signal()  # person: User, reason: str
signed_in_by_provider = Signal()  # person: User, groups: frozenset[str]: what the provider's claim holds
factors_taken_away = Signal()  # person: User, by: User, kinds: [str]
