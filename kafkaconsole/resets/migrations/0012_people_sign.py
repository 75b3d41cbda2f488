"""Only people sign, and only people set a rule aside (docs/decisions/0062)."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

BY_A_SERVICE = "EXISTS (SELECT 1 FROM accounts_user u WHERE u.id = NEW.by_id AND u.is_service)"


class Migration(migrations.Migration):
    dependencies = [("resets", "0011_overrides"), ("accounts", "0005_service_accounts")]
    operations = [
        Refuse("only_people_sign", "resets_approval", "INSERT", "a service account signs nothing", BY_A_SERVICE),
        Refuse(
            "only_people_set_rules_aside",
            "resets_override",
            "INSERT",
            "a service account sets no rule aside",
            BY_A_SERVICE,
        ),
    ]
