"""A client of a language server, with the requests that the checks need."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote

# The server cancels a request when the text changes; it is asked again.
CANCELLED = {-32800, -32801, -32802}

CAPABILITIES = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"snippetSupport": True}},
        "definition": {"linkSupport": True},
        "rename": {"prepareSupport": True},
        "diagnostic": {"dynamicRegistration": False},
    },
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "experimental": {"serverStatusNotification": True},
}


class ServerError(Exception):
    """The server refused a request, or ended."""


class Server:
    """A running language server."""

    def __init__(self, program, folder, options, environment, log):
        self.options = options
        self.process = subprocess.Popen(
            [program],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=open(log, "w", encoding="utf-8"),
        )
        self.last_id = 0
        self.responses = {}
        self.is_quiescent = False
        self.has_ended = False
        self.changed = threading.Condition()
        threading.Thread(target=self._receive, daemon=True).start()
        self._initialize(Path(folder).as_uri())

    def request(self, method, parameters, timeout=300):
        """Returns the result of a request."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            response = self._exchange(method, parameters, end)
            error = response.get("error")
            if error is None:
                return response["result"]
            if error["code"] not in CANCELLED:
                raise ServerError(error["message"])
        raise ServerError(f"no response to {method} after {timeout} s")

    def notify(self, method, parameters):
        self._send({"method": method, "params": parameters})

    def wait_until_quiescent(self, timeout=1200):
        """Waits until the server has loaded the project, and still says so after two seconds."""
        end = time.monotonic() + timeout
        since = None
        while since is None or time.monotonic() - since < 2:
            if self.has_ended or time.monotonic() > end:
                raise ServerError("the server does not load the project")
            time.sleep(0.1)
            if not self.is_quiescent:
                since = None
            elif since is None:
                since = time.monotonic()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def _initialize(self, folder):
        parameters = {
            "processId": os.getpid(),
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "checks"}],
            "capabilities": CAPABILITIES,
            "initializationOptions": self.options,
        }
        self.request("initialize", parameters)
        self.notify("initialized", {})

    def _exchange(self, method, parameters, end):
        self.last_id += 1
        number = self.last_id
        self._send({"id": number, "method": method, "params": parameters})
        with self.changed:
            while number not in self.responses:
                if self.has_ended:
                    raise ServerError("the server ended")
                if time.monotonic() > end:
                    raise ServerError(f"no response to {method}")
                self.changed.wait(0.5)
            return self.responses.pop(number)

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self):
        while (message := self._read()) is not None:
            with self.changed:
                self._handle(message)
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def _read(self):
        length = 0
        while header := self.process.stdout.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length)) if length else None

    def _handle(self, message):
        if "method" not in message:
            self.responses[message["id"]] = message
        elif "id" in message:
            asks_settings = message["method"] == "workspace/configuration"
            items = message["params"]["items"] if asks_settings else []
            result = [self.options for _ in items] if asks_settings else None
            self._send({"id": message["id"], "result": result})
        elif message["method"] == "experimental/serverStatus":
            self.is_quiescent = message["params"]["quiescent"]


class Document:
    """A file that is open in a server. Offsets count the characters of its text."""

    def __init__(self, server, path):
        self.server = server
        self.uri = "file://" + quote(str(path))
        self.text = Path(path).read_text(encoding="utf-8")
        self.version = 1
        item = {"uri": self.uri, "languageId": "rust", "version": 1, "text": self.text}
        server.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, text):
        self.text = text
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        changes = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.server.notify("textDocument/didChange", changes)

    def close(self):
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def completions(self, offset):
        """Returns the names that complete the word at an offset."""
        answer = self._at("completion", offset) or []
        items = answer["items"] if isinstance(answer, dict) else answer
        return [item["label"].split("(")[0].split("…")[0].strip() for item in items]

    def hover(self, offset):
        answer = self._at("hover", offset)
        return answer["contents"]["value"] if answer else ""

    def definitions(self, offset):
        """Returns address, line and column of each target."""
        links = self._at("definition", offset) or []
        starts = [(link["targetUri"], link["targetSelectionRange"]["start"]) for link in links]
        return [(uri, start["line"], start["character"]) for uri, start in starts]

    def references(self, offset):
        places = self._at("references", offset, context={"includeDeclaration": True}) or []
        return [(place["uri"], place["range"]) for place in places]

    def rename(self, offset, name):
        """Returns the edits of each file by its address."""
        answer = self._at("rename", offset, newName=name)
        edits = {}
        for change in answer["documentChanges"]:
            if "edits" not in change:
                raise ServerError(f"the rename would {change['kind']} a file")
            edits.setdefault(change["textDocument"]["uri"], []).extend(change["edits"])
        return edits

    def errors(self):
        """Returns the native diagnostics that are errors."""
        answer = self.server.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        return [item for item in answer["items"] if item.get("severity") == 1]

    def expansion(self, offset):
        return self._at("rust-analyzer/expandMacro", offset)["expansion"]

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        return {"line": line, "character": utf16_length(self.text[start:offset])}

    def offset(self, position):
        start = 0
        for _ in range(position["line"]):
            start = self.text.index("\n", start) + 1
        offset = start
        while utf16_length(self.text[start:offset]) < position["character"]:
            offset += 1
        return offset

    def _at(self, method, offset, **more):
        document = {"textDocument": {"uri": self.uri}, "position": self.position(offset)}
        name = method if "/" in method else f"textDocument/{method}"
        return self.server.request(name, document | more)


def utf16_length(text):
    return len(text.encode("utf-16-le")) // 2
