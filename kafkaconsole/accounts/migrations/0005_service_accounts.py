"""Service accounts: no password, no mail, no role everywhere; and who made a token."""


import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from kafkaconsole.triggers import Refuse


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_signed_in_browser'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.AddField(
            model_name='apitoken',
            name='made_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('is_service', False), ('password__startswith', '!'), _connector='OR'), name='service_accounts_have_no_password'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('is_service', False), models.Q(('email', ''), ('is_staff', False), ('is_superuser', False), ('role', 'member')), _connector='OR'), name='service_accounts_have_no_mail_and_no_role'),
        ),
        Refuse(
            "accounts_stay_of_their_kind",
            "accounts_user",
            "UPDATE",
            "a person does not become a service account, nor the other way round",
            "NEW.is_service <> OLD.is_service",
        ),
    ]
