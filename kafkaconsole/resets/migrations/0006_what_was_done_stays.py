"""What was done stays: a request that is over is not taken up again, and its attempts with their snapshots are kept."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

REQUEST, ATTEMPT, RESULT = "resets_resetrequest", "resets_attempt", "resets_attemptresult"
TAKEN_UP_AGAIN = (
    "OLD.state IN ('applied', 'partly_applied', 'failed', 'rejected', 'cancelled', 'expired')"
    " AND NEW.state <> OLD.state"
)
WRITE_BEGAN = "EXISTS (SELECT 1 FROM resets_attempt a WHERE a.id = OLD.attempt_id AND a.write_began_at IS NOT NULL)"
ANOTHER_SNAPSHOT = (
    "(COALESCE(NEW.before, -1) <> COALESCE(OLD.before, -1) OR COALESCE(NEW.target, -1) <> COALESCE(OLD.target, -1))"
    f" AND {WRITE_BEGAN}"
)


class Migration(migrations.Migration):
    dependencies = [("resets", "0005_a_signature_is_of_one_plan")]
    operations = [
        Refuse("requests_that_are_over_stay_over", REQUEST, "UPDATE", "this request is over", TAKEN_UP_AGAIN),
        Refuse("attempts_are_not_deleted", ATTEMPT, "DELETE", "attempts are not deleted: no DELETE"),
        Refuse("results_are_not_deleted", RESULT, "DELETE", "results are not deleted: no DELETE"),
        Refuse("snapshots_stay", RESULT, "UPDATE", "a snapshot stays once writing began", ANOTHER_SNAPSHOT),
    ]
