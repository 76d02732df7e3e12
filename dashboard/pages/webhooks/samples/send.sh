curl "https://atrium.example/receive" \
  -H "Content-Type: application/json" \
  -H "X-Webhook-Secret: $WEBHOOK_SECRET" \
  -d '{"type": "order.paid", "data": {"order": 1042}}'
