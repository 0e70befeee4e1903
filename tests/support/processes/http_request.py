"""Requests to the HTTP endpoint of a real server."""

import http.client


def ask(port: int, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, str, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.request(method, path, body)
    answer = line.getresponse()
    response = answer.status, answer.getheader("Content-Type", ""), answer.read().decode()
    line.close()
    return response
