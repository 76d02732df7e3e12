import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
const TOLERANCE_S = 300

// Verify the bytes as they came, before they are parsed.
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!id || !signatures || !(age <= TOLERANCE_S)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  // While a secret is being replaced there are two.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const genuine = isGenuine(request.headers, body)
  response.writeHead(genuine ? 204 : 401).end()
  if (genuine) console.log(JSON.parse(body).type, request.headers['webhook-id'])
}).listen(4000, () => console.log('listening on http://localhost:4000'))
