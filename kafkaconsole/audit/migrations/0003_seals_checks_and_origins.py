"""Where an event came from; seals, under which old events may go; checks of the chain as work."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kafkaconsole.triggers import Lift, Refuse

EVENTS, SEALS = "audit_auditevent", "audit_auditseal"
UNCHANGED = ("audit_events_are_not_changed", EVENTS, "UPDATE", "audit events are append-only: no UPDATE")
KEPT = ("audit_events_are_not_deleted", EVENTS, "DELETE", "audit events are append-only: no DELETE")
KEPT_UNTIL_SEALED = (
    *("audit_events_are_kept_until_sealed", EVENTS, "DELETE", "audit events are kept until they are sealed: no DELETE"),
    "NOT EXISTS (SELECT 1 FROM audit_auditseal WHERE audit_auditseal.number >= OLD.number)",
)


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0002_append_only'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Lift(*UNCHANGED),  # SQLite makes the table anew
        Lift(*KEPT),
        migrations.CreateModel(
            name='AuditCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('nudge_at', models.DateTimeField(blank=True, null=True)),
                ('is_open', models.BooleanField(default=True)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('checked', models.PositiveBigIntegerField(default=0)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('why', models.CharField(blank=True, max_length=20)),
                ('head_number', models.PositiveBigIntegerField(default=0)),
                ('head_mac', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AuditSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(unique=True)),
                ('mac', models.CharField(max_length=64)),
                ('file_digest', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('signature', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ['-number'],
            },
        ),
        migrations.AddField(
            model_name='auditevent',
            name='address',
            field=models.CharField(blank=True, db_default='', default='', max_length=45),
        ),
        migrations.AddField(
            model_name='auditevent',
            name='request_id',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['request_id', 'number'], name='audit_audit_request_3d09c9_idx'),
        ),
        migrations.AddField(
            model_name='auditcheck',
            name='asked_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='auditcheck',
            constraint=models.UniqueConstraint(condition=models.Q(('is_open', True)), fields=('is_open',), name='one_open_check_of_the_audit_chain'),
        ),
        migrations.AddConstraint(
            model_name='auditcheck',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('is_open', True)), models.Q(('done_at__isnull', False), ('is_open', False)), _connector='OR'), name='audit_check_is_open_until_done'),
        ),
        Refuse(*UNCHANGED),
        Refuse(*KEPT_UNTIL_SEALED),
        Refuse("audit_seals_are_not_changed", SEALS, "UPDATE", "audit seals are append-only: no UPDATE"),
        Refuse("audit_seals_are_not_deleted", SEALS, "DELETE", "audit seals are append-only: no DELETE"),
    ]
