"""Who may set up channels, and who may have messages sent again."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.notifications.models import Channel, Message
from kafkaconsole.teams import policies as teams
from kafkaconsole.teams.models import Membership, Team, TeamRole
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_add_channels(user: User) -> Verdict:
    """Administrators, and whoever owns a team."""
    owns = Membership.objects.filter(user=user, role=TeamRole.OWNER).exists()
    if user.is_active and not user.is_auditor and (user.is_administrator or owns):
        return ALLOWED
    return denied(words("Only an administrator or an owner of a team can set up channels."))


def may_set_up(user: User, team: Team | None) -> Verdict:
    """A team's channels: its owners and administrators; channels that hear of everything: administrators."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if team is not None:
        return teams.may_change(user, team)
    if user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator can set up a channel that hears of every request."))


def may_change_channel(user: User, channel: Channel) -> Verdict:
    """Whoever may set one up there."""
    return may_set_up(user, channel.team)


def may_send_again(user: User, message: Message) -> Verdict:
    """Administrators, and the owners of the team that it is about."""
    team = message.channel.team if message.channel else message.request.team if message.request else None
    if user.is_active and user.is_administrator or (team is not None and teams.is_owner(user, team)):
        return ALLOWED
    return denied(words("Only an administrator or an owner of the team can have it sent again."))
