"""People and service accounts, and the tokens with which scripts act for them."""

from __future__ import annotations

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class GlobalRole(models.TextChoices):
    """What a person may do everywhere; team roles come on top."""

    MEMBER = "member", _("Member")
    ADMINISTRATOR = "administrator", _("Administrator")
    AUDITOR = "auditor", _("Auditor")


class User(AbstractUser):
    """Someone who signs in, or a service account, which never does: it acts by tokens alone (docs/decisions/0062).

    `name` is what pages show; `time_zone` is an IANA name, empty: the browser's.
    """

    name = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=20, choices=GlobalRole.choices, default=GlobalRole.MEMBER)
    time_zone = models.CharField(max_length=64, blank=True)
    is_service = models.BooleanField(default=False)
    must_change_password = models.BooleanField(default=False, db_default=False)  # it was given by an administrator

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                name="service_accounts_have_no_password",
                condition=models.Q(is_service=False) | models.Q(password__startswith=UNUSABLE_PASSWORD_PREFIX),
            ),
            models.CheckConstraint(
                name="service_accounts_have_no_mail_and_no_role",
                condition=models.Q(is_service=False)
                | models.Q(email="", role="member", is_staff=False, is_superuser=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def is_administrator(self) -> bool:
        """May set up clusters, teams and people."""
        return self.role == GlobalRole.ADMINISTRATOR

    @property
    def is_auditor(self) -> bool:
        """Reads everything, changes nothing."""
        return self.role == GlobalRole.AUDITOR

    @property
    def has_second_factor(self) -> bool:
        """Whether signing in asks for more than the password; recovery codes alone do not count."""
        factors = self.authenticator_set  # type: ignore[attr-defined]  # allauth's model, which ships no types
        return bool(factors.exclude(type="recovery_codes").exists())


class SignedInBrowser(models.Model):
    """A browser in which somebody is signed in: `key` is the session's. Its session is what counts; this describes it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="browsers")
    key = models.CharField(max_length=40, unique=True)
    device = models.CharField(max_length=300, blank=True)
    address = models.CharField(max_length=45, blank=True)
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-seen_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user} from {self.address}"


class Scope(models.TextChoices):
    """What a token may be used for; never more than its owner may."""

    READ = "read", "Read"
    REQUEST = "request", "Request"
    APPROVE = "approve", "Approve"
    ADMIN = "admin", "Administer"


class ApiToken(models.Model):
    """A bearer token: only its prefix and its SHA-256 are kept, the token itself is shown once."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")  # None: before it was kept
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
