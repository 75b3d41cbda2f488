"""What a request asked for before it was changed is kept for good; who changed it last signs only by policy."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kafkaconsole.triggers import Refuse

APPROVAL, REVISION = "resets_approval", "resets_revision"
BARRED = "EXISTS (SELECT 1 FROM resets_plan p WHERE p.id = NEW.plan_id AND p.barred_id = NEW.by_id)"


def person() -> models.ForeignKey:
    """Someone who is never deleted."""
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
    )


class Migration(migrations.Migration):
    dependencies = [("resets", "0012_people_sign"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.AddField(
            "plan",
            "barred",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            "Revision",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("change", models.JSONField()),
                ("reason", models.TextField()),
                ("ticket", models.CharField(blank=True, max_length=120)),
                ("replaced_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("by", person()),
                (
                    "plan",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="resets.plan",
                    ),
                ),
                ("replaced_by", person()),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="revisions", to="resets.resetrequest"
                    ),
                ),
            ],
            options={
                "ordering": ["request", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("request", "number"), name="one_revision_of_a_number"),
                ],
            },
        ),
        Refuse("the_last_editor_signs_by_policy", APPROVAL, "INSERT", "the policy does not let the last editor sign", BARRED),
        Refuse("revisions_are_not_changed", REVISION, "UPDATE", "revisions are not changed: no UPDATE"),
        Refuse("revisions_are_not_deleted", REVISION, "DELETE", "revisions are not deleted: no DELETE"),
    ]
