# SPDX-License-Identifier: MIT
"""A Shelly plug and a Redfish service that do not exist: an HTTP server on
loopback, on a port of the kernel's choice.

A test sets the figures, or what is answered instead (`instead`), for one
request or all that follow.
"""
import hashlib
import http.server
import json
import socket
import ssl
import threading

SHELLY = "/rpc/Switch.GetStatus?id=0"
REDFISH = "/redfish/v1/Chassis/1/Power"
REALM, NONCE, USER, PASSWORD = "plug", "0123456789", "admin", "s3cret word"


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Answer:
    """One that is not the usual one."""

    def __init__(self, body=None, status=200, kind="application/json",
                 length=None, **headers):
        self.body, self.status, self.kind = body, status, kind
        self.length, self.headers = length, headers


class Plug:
    def __init__(self, certificate=None):
        self.watts, self.wh = 100.0, 1234.567
        self.members = [{"MemberId": "0", "Name": "System Power Control",
                         "PowerConsumedWatts": 344}]
        self.instead = []  # Answers, or functions of a handler
        self.requests = []  # (path, Authorization)
        self.password = None
        self.silent = threading.Event()  # set: end what is silent
        self.look = None  # says the power, whenever it is asked for
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        scheme = "http"
        if certificate:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True)
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"{scheme}://{self.host}"
        self.thread = threading.Thread(target=self.server.serve_forever,
                                       kwargs={"poll_interval": 0.01},
                                       daemon=True)
        self.thread.start()

    def end(self):
        self.silent.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(20)

    def advance(self, seconds):
        self.wh += self.watts * seconds / 3600

    def usual(self, path):
        if self.look:
            self.watts = self.look()
        if path == SHELLY:
            return json.dumps({
                "id": 0, "source": "init", "output": True,
                "apower": self.watts, "voltage": 230.1, "current": 0.4,
                "aenergy": {"total": round(self.wh, 3),
                            "by_minute": [1.0, 2.0, 3.0],
                            "minute_ts": 1700000000},
                "temperature": {"tC": 40.1, "tF": 104.2}})
        if path == REDFISH:
            return json.dumps({"@odata.id": REDFISH, "Id": "Power",
                               "PowerControl": self.members,
                               "PowerControl@odata.count":
                               len(self.members)})
        return None

    def allows(self, handler):
        if self.password is None:
            return True
        header = handler.headers.get("Authorization", "")
        if self.password == "basic":
            return header == "Basic " + self.basic()
        fields = dict(part.strip().split("=", 1)
                      for part in header.removeprefix("Digest ").split(",")
                      if "=" in part)
        fields = {name: value.strip('"') for name, value in fields.items()}
        if fields.get("username") != USER:
            return False
        response = sha256(":".join((
            sha256(f"{USER}:{REALM}:{PASSWORD}"), NONCE,
            fields.get("nc", ""), fields.get("cnonce", ""), "auth",
            sha256(f"GET:{handler.path}"))))
        return fields.get("response") == response

    @staticmethod
    def basic():
        import base64
        return base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    def handler(plug):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *unused):
                pass

            def do_GET(self):
                plug.requests.append((self.path,
                                      self.headers.get("Authorization")))
                if not plug.allows(self):
                    return self.give(Answer("{}", 401, **{
                        "WWW-Authenticate":
                        f'Digest qop="auth", realm="{REALM}", '
                        f'nonce="{NONCE}", algorithm=SHA-256'}))
                instead = plug.instead.pop(0) if plug.instead else None
                if callable(instead):
                    self.close_connection = True
                    return instead(self)
                body = plug.usual(self.path)
                if instead is None:
                    instead = Answer(body if body else "{}",
                                     200 if body else 404)
                elif instead.body is None:
                    instead.body = body or "{}"
                return self.give(instead)

            def give(self, answer):
                body = answer.body
                if isinstance(body, str):
                    body = body.encode()
                self.send_response(answer.status)
                if answer.kind is not None:
                    self.send_header("Content-Type", answer.kind)
                self.send_header("Content-Length", answer.length or len(body))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                if answer.length:
                    self.close_connection = True
        return Handler

    # ---- what a server may do -----------------------------------------

    def never(self, handler):
        """Say nothing, until the test ends."""
        self.silent.wait(60)

    def drip(self, handler):
        """Byte after byte, and never all of them."""
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        try:
            while not self.silent.wait(0.02):
                handler.wfile.write(b" ")
                handler.wfile.flush()
        except OSError:
            pass

    @staticmethod
    def hang_up(handler):
        """End the connection without a word."""
        handler.connection.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def endless(handler):
        """More than anybody wants, without saying how much."""
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Connection", "close")
        handler.end_headers()
        try:
            for _ in range(1000):
                handler.wfile.write(b" " * 4096)
        except OSError:
            pass

    @staticmethod
    def headers(handler):
        """The same of the header."""
        handler.send_response(200)
        try:
            for at in range(1000):
                handler.send_header(f"X-{at}", "x" * 1000)
            handler.end_headers()
        except OSError:
            pass

    @staticmethod
    def long_header(handler):
        """One line of it."""
        handler.send_response(200)
        try:
            handler.send_header("X", "x" * 200000)
            handler.end_headers()
        except OSError:
            pass

    @staticmethod
    def no_http(handler):
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
