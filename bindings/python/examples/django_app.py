"""A service with Django in one file. Start it with `ISSUER=… AUDIENCE=… gunicorn 'django_app:production()'`."""

import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, JsonResponse
from django.urls import path

from assay import Gateway
from assay.wsgi import AssayMiddleware


def me(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"subject": request.META["assay"].claims()["sub"]})


urlpatterns = [path("me", me)]


def application(gateway: Gateway) -> AssayMiddleware:
    if not settings.configured:
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY=os.urandom(16).hex())
        django.setup()
    return AssayMiddleware(get_wsgi_application(), gateway)


def production() -> AssayMiddleware:
    return application(Gateway.of_issuer(os.environ["ISSUER"], os.environ["AUDIENCE"]))
