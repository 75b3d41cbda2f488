"""Addresses of notifications."""

from django.urls import path

from kafkaconsole.notifications.views import channels, choosing, deliveries

urlpatterns = [
    path("profile/notifications", choosing.choices, name="notifications"),
    path("profile/notifications/test", choosing.test, name="notifications-test"),
    path("channels", channels.channels, name="channels"),
    path("channels/new", channels.add, name="channel-new"),
    path("channels/<int:channel_id>/", channels.channel, name="channel"),
    path("channels/<int:channel_id>/test", channels.test, name="channel-test"),
    path("channels/<int:channel_id>/remove", channels.remove, name="channel-remove"),
    path("deliveries", deliveries.deliveries, name="deliveries"),
    path("deliveries/<int:message_id>/again", deliveries.again, name="delivery-again"),
]
