import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
const key = secret.startsWith('whsec_')
  ? Buffer.from(secret.slice('whsec_'.length), 'base64')
  : Buffer.from(secret)
const TOLERANCE_S = 300

// Verify the raw body before parsing it.
function isValidSignature(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature'] ?? ''
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_S)) return false
  const hmac = createHmac('sha256', key)
  const expected = hmac.update(`${id}.${timestamp}.`).update(body).digest()
  // During a secret rotation there are two signatures.
  return signatures.split(' ').some((signature) => {
    const received = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return received.length === 32 && timingSafeEqual(received, expected)
  })
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const isValid = isValidSignature(request.headers, body)
  response.writeHead(isValid ? 204 : 401).end()
  if (isValid) console.log(JSON.parse(body).type, body.length, 'bytes')
})
server.listen(4000, () => console.log('http://localhost:4000'))
