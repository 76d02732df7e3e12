import base64, hashlib, hmac, json, os, time, urllib.request, uuid

url = "https://atrium.example/receive"
key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

message_id = f"msg_{uuid.uuid4()}"
timestamp = str(int(time.time()))
body = json.dumps({"type": "order.paid", "data": {"order": 1042}}).encode()
signed = f"{message_id}.{timestamp}.".encode() + body
signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()

request = urllib.request.Request(url, data=body, headers={
    "content-type": "application/json",
    "webhook-id": message_id,
    "webhook-timestamp": timestamp,
    "webhook-signature": f"v1,{signature}",
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
