"""Requests to a service, by the standard library alone."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Parameter = Union[None, bool, int, float, str, Sequence[str]]


class TangentError(Exception):
    """A problem that the service answers with, or that there is no answer.

    ``status``: of HTTP; 0 where nothing was answered.
    ``code``: names the problem, such as ``scene-not-found``; None where the answer has none.
    ``problem``: the whole document, with the place of what is wrong.
    """

    def __init__(self, status: int, code: Optional[str], detail: str, problem: Dict[str, Any]) -> None:
        super().__init__(detail if code is None else f"{code}: {detail}")
        self.status = status
        self.code = code
        self.problem = problem


class Transport:
    """Sends JSON and reads what comes back. One object may be used by many threads."""

    def __init__(
        self, base_url: str = "http://127.0.0.1:3000", *, token: Optional[str] = None, timeout: float = 30
    ) -> None:
        """``token``: where the service wants one. ``timeout``: in seconds, for each step of a request."""
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout

    def _ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Parameter]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
    ) -> Any:
        """What is None in ``query`` and ``headers`` is not sent; a ``body`` of bytes is sent as a file."""
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urlencode(given, doseq=True) if given else "")
        request = Request(url, method=method)
        for name, value in (headers or {}).items():
            if value is not None:
                request.add_header(name, value)
        if self._token is not None:
            # not for whom it may be sent on to
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        if isinstance(body, (bytes, bytearray)):
            request.data = bytes(body)
            request.add_header("Content-Type", "application/octet-stream")
        elif body is not None:
            request.data = json.dumps(body, allow_nan=False).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=self._timeout) as answer:
                return _value(answer.headers.get_content_type(), answer.read())
        except HTTPError as error:
            with error:
                raise _problem(error) from None
        except (OSError, HTTPException) as error:
            raise TangentError(0, None, f"{url} does not answer: {error}", {}) from error


def part(text: str) -> str:
    """An id as a part of a path."""
    return quote(text, safe="")


def _text(value: Parameter) -> Union[str, List[str]]:
    """What may be repeated is a list."""
    if isinstance(value, (str, bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return list(value or ())


def _value(media_type: str, content: bytes) -> Any:
    if not content:
        return None
    if media_type == "application/json" or media_type.endswith("+json"):
        return json.loads(content)
    is_text = media_type.startswith("text/") or media_type.endswith("+xml")
    return content.decode() if is_text else content


def _problem(error: HTTPError) -> TangentError:
    try:
        problem = json.loads(error.read())
        return TangentError(error.code, problem.get("code"), problem.get("detail") or error.reason, problem)
    except (OSError, HTTPException, ValueError, AttributeError):
        # of a proxy, say, or cut off
        return TangentError(error.code, None, f"{error.code} {error.reason}", {})
