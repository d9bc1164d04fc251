"""A server between a library and the model, which samples all requests alike and keeps what was said."""

import json
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Call:
    """A request of a library with the reply of the server."""

    request: dict
    reply: dict

    @property
    def tokens(self):
        usage = self.reply.get("usage", {})
        return usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)

    @property
    def question(self):
        """The last thing that the model was asked."""
        return json.dumps(self.request["messages"][-1].get("content"), ensure_ascii=False)

    @property
    def text(self):
        """What the model wrote: a text, or arguments of tools."""
        message = self.reply["choices"][0]["message"] if "choices" in self.reply else self.reply
        calls = message.get("tool_calls")
        return json.dumps(calls, ensure_ascii=False) if calls else str(message.get("content", message))


class Recorder:
    """Listens on a port of its own."""

    def __init__(self, base_url, sampling):
        self.upstream, self.sampling = base_url.rstrip("/"), sampling
        self.calls, self.failure = [], None
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status, body = recorder.forward(self.path, request)
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.base_url = f"http://127.0.0.1:{server.server_port}"

    def forward(self, path, request):
        request = {**request, **self.sampling}
        request.pop("max_completion_tokens", None)
        post = urllib.request.Request(
            self.upstream + path, json.dumps(request).encode(), {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(post) as response:
                status, body = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        except OSError as error:
            self.failure = error
            return 502, b"{}"
        self.calls.append(Call(request, json.loads(body)))
        return status, body

    def take(self):
        """Returns the calls since the last time.

        Raises an error if the server could not be reached: that is no result.
        """
        if self.failure:
            raise self.failure
        calls, self.calls = self.calls, []
        return calls
