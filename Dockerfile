# Kafka Console's image: web, worker and beat are the same image with other commands (docker-compose.yml).

# --- front-end files, by package-lock.json
FROM node:22-bookworm-slim AS assets
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci

# --- packages with every hash checked, and static files with their fingerprints
FROM python:3.11-slim-bookworm AS build
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PATH=/opt/venv/bin:$PATH
RUN python -m venv /opt/venv
COPY requirements.txt ./
RUN pip install --require-hashes -r requirements.txt
COPY manage.py ./
COPY kafkaconsole kafkaconsole
COPY templates templates
COPY static static
COPY devtools/__init__.py devtools/
COPY devtools/setup devtools/setup
COPY --from=assets /build/node_modules node_modules
# The keys below are read by nothing that collects static files; the running image gets its own.
RUN python -m devtools.setup.assets \
    && SECRET_KEY=build AUDIT_KEY=build FIELD_KEYS=YnVpbGQtb25seS1maWVsZC1rZXktMDEyMzQ1Njc4OTA= \
       STATIC_ROOT=/app/.static STATIC_STORAGE=whitenoise.storage.CompressedManifestStaticFilesStorage \
       python manage.py collectstatic --noinput

# --- what runs
FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin console
WORKDIR /app
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STATIC_ROOT=/app/.static \
    STATIC_STORAGE=whitenoise.storage.CompressedManifestStaticFilesStorage \
    BEAT_SCHEDULE_FILE=/tmp/beat-schedule
COPY --from=build /opt/venv /opt/venv
COPY --from=build /app/.static .static
COPY --from=build /app/static static
COPY manage.py LICENSE ./
COPY kafkaconsole kafkaconsole
COPY templates templates
COPY locale locale
USER 10001
EXPOSE 8000
CMD ["gunicorn", "kafkaconsole.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "2", "--worker-tmp-dir", "/dev/shm", "--access-logfile", "-"]
