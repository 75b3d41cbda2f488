#!/bin/sh
# Runs its arguments under Python 3.11 or newer: `sh devtools/setup/python.sh -m devtools.setup demo`.
# $PYTHON names one by hand. Without any, a Debian root gets it installed, anyone else gets one sentence.
set -eu

find_python() {
    for candidate in "${PYTHON:-}" python3.11 python3 python3.12 python3.13 python3.14; do
        if [ -n "$candidate" ] && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

if ! python=$(find_python); then
    if [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; then
        apt-get update -q >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3 python3-venv >&2
    fi
    if ! python=$(find_python); then
        echo "Kafka Console needs Python 3.11 or newer, which is not here: run \`sudo apt-get install -y python3 python3-venv\` (Debian 12 or newer), or set PYTHON to its path, and try again." >&2
        exit 1
    fi
fi
exec "$python" "$@"
