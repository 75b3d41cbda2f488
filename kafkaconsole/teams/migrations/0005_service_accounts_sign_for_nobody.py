"""A service account signs for nobody who is away, and nobody signs for one (docs/decisions/0062, 0066)."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

OF_A_SERVICE = "EXISTS (SELECT 1 FROM accounts_user u WHERE u.id IN (NEW.to_id, NEW.by_id) AND u.is_service)"
SAYS = "a service account is no deputy and has none"


class Migration(migrations.Migration):
    dependencies = [("teams", "0004_delegations"), ("accounts", "0005_service_accounts")]
    operations = [
        Refuse("service_accounts_are_no_deputies", "teams_delegation", "INSERT", SAYS, OF_A_SERVICE),
        Refuse("service_accounts_become_no_deputies", "teams_delegation", "UPDATE", SAYS, OF_A_SERVICE),
    ]
