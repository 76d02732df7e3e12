import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env
const KEY = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const AGE_S_MAX = 300

/** Atrium may redeliver. A real program stores the ids beside what the event changed. */
const seen = new Set<string>()

createServer(async (request, response) => {
  const body = await buffer(request)
  const id = String(request.headers['webhook-id'])
  if (!isSigned(id, request.headers, body)) return response.writeHead(401).end()
  if (!seen.has(id)) {
    seen.add(id)
    const { type } = JSON.parse(body.toString())
    console.log(type)
  }
  response.writeHead(204).end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${PORT}`))

/** During secret rotation the header has several signatures. One must match. */
function isSigned(id: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const timestamp = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= AGE_S_MAX)) return false
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
}
