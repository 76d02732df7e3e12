import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = os.environ["WEBHOOK_SECRET"]
if secret.startswith("whsec_"):
    KEY = base64.b64decode(secret.removeprefix("whsec_"))
else:
    KEY = secret.encode()
TOLERANCE_S = 300

# Verify the raw body before parsing it.
def is_valid_signature(headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # During a secret rotation there are two signatures.
    received = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, each) for each in received)

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_valid = is_valid_signature(self.headers, body)
        self.send_response(204 if is_valid else 401)
        self.end_headers()
        if is_valid:
            print(json.loads(body)["type"], len(body), "bytes", flush=True)

print("http://localhost:4000", flush=True)
HTTPServer(("127.0.0.1", 4000), Handler).serve_forever()
