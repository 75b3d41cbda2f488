"""Since when, without a break, a cluster has answered for an attempt whose answer was lost."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("resets", "0009_withdrawals")]
    operations = [migrations.AddField("attempt", "watched_since", models.DateTimeField(blank=True, null=True))]
