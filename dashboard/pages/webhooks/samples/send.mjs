import { createHmac, randomUUID } from 'node:crypto'

const url = 'https://atrium.example/receive'
const secret = process.env.WEBHOOK_SECRET
const key = secret.startsWith('whsec_')
  ? Buffer.from(secret.slice('whsec_'.length), 'base64')
  : Buffer.from(secret)

const id = `msg_${randomUUID()}`
const timestamp = Math.floor(Date.now() / 1000)
const body = JSON.stringify({ type: 'order.paid', data: { order: 1042 } })
const hmac = createHmac('sha256', key)
const signature = hmac.update(`${id}.${timestamp}.${body}`).digest('base64')

const response = await fetch(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  },
  body,
})
console.log(response.status, await response.text())
