import base64, hashlib, hmac, json, os, time, uuid
from urllib.request import Request, urlopen

url = "https://atrium.example/receive"
secret = os.environ["WEBHOOK_SECRET"]
if secret.startswith("whsec_"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
else:
    key = secret.encode()

message_id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
body = json.dumps({"type": "order.paid", "data": {"order": 1042}}).encode()
signed = f"{message_id}.{timestamp}.".encode() + body
digest = hmac.new(key, signed, hashlib.sha256).digest()

request = Request(url, data=body, headers={
    "content-type": "application/json",
    "webhook-id": message_id,
    "webhook-timestamp": timestamp,
    "webhook-signature": "v1," + base64.b64encode(digest).decode(),
})
with urlopen(request) as response:
    print(response.status, response.read().decode())
