"""What happens to tokens, told inside the transaction: the audit app listens (accounts itself imports no audit)."""

from django.dispatch import Signal

token_created = Signal()  # token: ApiToken, by: User
token_revoked = Signal()  # token: ApiToken, by: User
