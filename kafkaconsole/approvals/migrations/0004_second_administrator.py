"""A version may need a second administrator, who is never the one who made it (docs/decisions/0054)."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kafkaconsole.triggers import Refuse

POLICY, CONFIRMATION = "approvals_policy", "approvals_confirmation"
OWN = (
    "NEW.is_confirmed AND EXISTS (SELECT 1 FROM approvals_policyversion v WHERE v.id = NEW.version_id"
    " AND v.made_by_id = NEW.by_id)"
)
UNCONFIRMED = (
    "COALESCE(NEW.current_id, 0) <> COALESCE(OLD.current_id, 0)"
    " AND EXISTS (SELECT 1 FROM approvals_policyversion v WHERE v.id = NEW.current_id AND v.needs_second)"
    " AND NOT EXISTS (SELECT 1 FROM approvals_confirmation c WHERE c.version_id = NEW.current_id AND c.is_confirmed)"
)


class Migration(migrations.Migration):

    dependencies = [
        ('approvals', '0003_break_glass'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='policyversion',
            name='needs_second',
            field=models.BooleanField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_confirmed', models.BooleanField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='confirmation', to='approvals.policyversion')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        Refuse("nobody_confirms_their_own", CONFIRMATION, "INSERT", "whoever made a version does not confirm it", OWN),
        Refuse("confirmations_are_not_changed", CONFIRMATION, "UPDATE", "confirmations are not changed: no UPDATE"),
        Refuse("confirmations_are_not_deleted", CONFIRMATION, "DELETE", "confirmations are not deleted: no DELETE"),
        Refuse("policies_wait_for_a_second", POLICY, "UPDATE", "this version waits for a second administrator", UNCONFIRMED),
    ]
