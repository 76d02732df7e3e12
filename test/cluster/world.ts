import { createHash } from 'node:crypto'
import type { Pool } from '../../server/database/database.ts'
import { newId } from '../../server/security/ids.ts'
import { randomHex } from '../../server/security/random.ts'
import type { ScriptedCarrier } from '../../server/testing/carrier/carrier.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { createSender } from '../kills/start-runs.ts'
import { send, type Write } from './load.ts'

export type World = Awaited<ReturnType<typeof createWorld>>

const UPLOAD_BYTES = 60_000
const EVENT_TYPE = 'order.paid'
/** Each number sends one message per second, and the rate limit lets a caller queue one per second. */
const NUMBERS = 3

interface WorldOptions {
  sql: Pool
  /** Where the clients reach the server. */
  url: string
  /** Where received events are delivered to. */
  receiverUrl: string
  carrier: ScriptedCarrier
}

/** An organization with a project, a webhook that forwards, and phone numbers, and the changes that clients make in it. */
export async function createWorld({ sql, url, receiverUrl, carrier }: WorldOptions) {
  const { organization, person, key, project, session } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner', verified: true })
  const { orgId } = owner
  const secret = (await key(owner, ['models:read', 'files:write'])).key
  const { cookie } = await session(owner)
  const { id: projectId } = await project(owner)
  const api = `${url}/api/v1`
  const request = createSender(url, secret)
  const webhook = await createWebhook(api, cookie, receiverUrl)
  const numbers = await Promise.all(Array.from({ length: NUMBERS }, (_, n) => insertNumber(n)))

  async function insertNumber(n: number): Promise<string> {
    const [id, e164] = [newId(), `+4930120${String(n).padStart(4, '0')}`]
    carrier.addNumber(e164)
    await sql`
      insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, connection_id, capabilities,
        configures_urls, project_id, owner_id, settings, created_at, updated_at)
      values (${orgId}, ${id}, ${e164}, 'twilio', ${`PN${randomHex(16)}`}, ${carrier.account.sid}, null,
        '{"voice":true,"sms":true,"mms":true}', true, ${projectId}, ${owner.id}, '{}', now(), now())`
    return id
  }

  const headersOf = (name: string) => ({ authorization: `Bearer ${secret}`, 'idempotency-key': name })
  const postJson = async (path: string, name: string, body: object) => {
    const headers = { ...headersOf(name), 'content-type': 'application/json' }
    const response = await send(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { id: string }
  }

  const upload: Write = async (name) => {
    const bytes = contentOf(name)
    const form = new FormData()
    form.set('projectId', projectId)
    form.set('file', new Blob([bytes], { type: 'text/plain' }), `${name}.txt`)
    const response = await send(`${api}/files`, { method: 'POST', headers: headersOf(name), body: form })
    const { data } = (await response.json()) as { data: { id: string } }
    return { id: data.id, sha256: sha256(bytes) }
  }
  const block: Write = async (name) => {
    const { id } = await postJson(`/projects/${projectId}/blocks`, name, { type: 'note', title: name })
    return { id }
  }
  const event: Write = async (name) => {
    const response = await send(`${api}/webhooks/receive/${webhook.id}`, {
      method: 'POST',
      headers: { 'x-webhook-secret': webhook.secret, 'webhook-id': name, 'content-type': 'application/json' },
      body: JSON.stringify({ id: name, type: EVENT_TYPE }),
    })
    return { id: ((await response.json()) as { eventId: string }).eventId }
  }
  const sms: Write = async (name) => {
    const numberId = numbers[Number(name.split('.')[1]) % NUMBERS]!
    const { id } = await postJson('/telephony/sms', name, { to: '+4917012345678', body: name, numberId })
    return { id }
  }
  return { orgId, projectId, secret, request, webhookId: webhook.id, writes: { upload, block, event, sms } }
}

/** The same content for every attempt. */
const contentOf = (name: string) => Buffer.from(`${name} `.repeat(UPLOAD_BYTES / (name.length + 1)))

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function createWebhook(api: string, cookie: string, url: string) {
  const response = await send(`${api}/webhooks`, {
    method: 'POST',
    headers: { cookie, origin: new URL(api).origin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Orders', url, source: 'shop', events: [EVENT_TYPE] }),
  })
  return (await response.json()) as { id: string; secret: string }
}
