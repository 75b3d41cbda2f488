"""Addresses of people; signing in and out is the sign-in library's."""

from django.urls import path

from kafkaconsole.accounts import closed_views, mailing_views, service_views, views

urlpatterns = [
    # The sign-in library's pages that send mail stand aside where none can be sent.
    path("accounts/password/reset/", mailing_views.reset_password),
    path("accounts/email/", mailing_views.addresses),
    # And its pages that this console does not have are closed.
    path("accounts/signup/", closed_views.closed),
    path("accounts/3rdparty/", closed_views.closed),
    path("accounts/3rdparty/signup/", closed_views.closed),
    path("accounts/password/set/", closed_views.closed),
    path("accounts/confirm-email/", closed_views.closed),
    path("accounts/login/code/confirm/", closed_views.closed),
    path("accounts/reauthenticate/code/", closed_views.closed),
    path("accounts/reauthenticate/code/confirm/", closed_views.closed),
    path("profile", views.profile, name="profile"),
    path("profile/tokens", views.add_token, name="token-new"),
    path("profile/tokens/<int:token_id>/revoke", views.revoke_token, name="token-revoke"),
    path("profile/sessions", views.browsers, name="sessions"),
    path("profile/sessions/others/end", views.end_other_browsers, name="sessions-end-others"),
    path("profile/sessions/<int:browser_id>/end", views.end_browser, name="sessions-end"),
    path("services", service_views.services, name="services"),
    path("services/new", service_views.add, name="services-new"),
    path("services/<str:username>/", service_views.service, name="service"),
    path("services/<str:username>/switch", service_views.switch, name="service-switch"),
    path("services/<str:username>/tokens", service_views.add_token, name="service-token-new"),
    path(
        "services/<str:username>/tokens/<int:token_id>/revoke", service_views.revoke_token, name="service-token-revoke"
    ),
    path("people", views.people, name="people"),
    path("people/new", views.add_person, name="people-new"),
    path("people/<str:username>/", views.person, name="people-one"),
    path("people/<str:username>/password", views.give_password, name="people-password"),
    path("people/<str:username>/sessions/end", views.end_sessions_of, name="people-sessions-end"),
    path("people/<str:username>/second-factor", views.take_factors_away, name="people-factors"),
]
