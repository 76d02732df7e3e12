# Requires a secret that starts with whsec_.
BODY='{"type": "order.paid", "data": {"order": 1042}}'
ID="msg_$(openssl rand -hex 12)"
TIME="$(date +%s)"
KEY="$(printf %s "${WEBHOOK_SECRET#whsec_}" |
  openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')"
SIGNATURE="$(printf %s "$ID.$TIME.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary |
  openssl base64 -A)"

curl "https://atrium.example/receive" \
  -H "Content-Type: application/json" \
  -H "Webhook-Id: $ID" \
  -H "Webhook-Timestamp: $TIME" \
  -H "Webhook-Signature: v1,$SIGNATURE" \
  -d "$BODY"
