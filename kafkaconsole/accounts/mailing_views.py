"""The sign-in library's pages that send mail; without a mail server they say whom to ask instead of pretending."""

from __future__ import annotations

from allauth.account import views as library
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def reset_password(request: HttpRequest) -> HttpResponse:
    """A link to choose a new password, by mail."""
    return library.password_reset(request) if settings.MAIL_IS_SET_UP else _no_mail(request)


def addresses(request: HttpRequest) -> HttpResponse:
    """One's own mail addresses, each confirmed by mail."""
    return library.email(request) if settings.MAIL_IS_SET_UP else _no_mail(request)


def _no_mail(request: HttpRequest) -> HttpResponse:
    return render(request, "account/no_mail.html", status=404)
