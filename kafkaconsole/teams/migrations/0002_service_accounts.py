"""A service account is a member of teams and nothing more (docs/decisions/0062)."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

ABOVE_MEMBER = (
    "NEW.role <> 'member' AND EXISTS (SELECT 1 FROM accounts_user u WHERE u.id = NEW.user_id AND u.is_service)"
)
SAYS = "a service account is no more than a member of a team"


class Migration(migrations.Migration):
    dependencies = [("teams", "0001_initial"), ("accounts", "0005_service_accounts")]
    operations = [
        Refuse("service_accounts_join_as_members", "teams_membership", "INSERT", SAYS, ABOVE_MEMBER),
        Refuse("service_accounts_stay_members", "teams_membership", "UPDATE", SAYS, ABOVE_MEMBER),
    ]
