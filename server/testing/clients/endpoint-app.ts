import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { sealSecrets } from '../../features/connections/connections/target.ts'
import type { EndpointOptions } from '../../features/connections/endpoints/dependencies.ts'
import { sealSecrets as sealEndpointSecrets } from '../../features/connections/endpoints/secrets.ts'
import { newId } from '../../security/ids.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

export type EndpointApp = Awaited<ReturnType<typeof buildEndpointApp>>
type ProviderHandler = (
  path: string,
  body: string,
  method: string,
) => ProviderResponse | Promise<ProviderResponse>

interface ProviderResponse {
  status?: number
  json?: unknown
  /** Instead of `json`. */
  bytes?: Uint8Array
  headers?: Record<string, string>
}

const OK: ProviderHandler = () => ({ json: { ok: true, result: true } })
const CREDENTIALS: Record<string, Record<string, string>> = {
  telegram: { token: '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  slack: { accessToken: 'xoxb-1' },
  discord: { token: 'discord-token' },
  whatsapp: { accessToken: 'wa', phoneNumberId: '777', appSecret: 'app-secret' },
  asana: { accessToken: 'asana' },
  github: { accessToken: 'gho_1' },
  'microsoft-teams': { accessToken: 'graph' },
  outlook: { accessToken: 'graph' },
  resend: { apiKey: 're_12345678' },
  gmail: { accessToken: 'google' },
  'google-calendar': { accessToken: 'google' },
}
/** Only for non-bot connections. */
const ACCOUNTS: Record<string, string> = { whatsapp: '777', gmail: 'desk@example.com' }

/** Connectors reach a provider on loopback, with active connections. */
export async function buildEndpointApp(options: Parameters<typeof buildTestApp>[0] = {}) {
  let answer = OK
  const provider = await startReceiver(async ({ path, body }, response, { method }) => {
    const { status = 200, json, bytes, headers = {} } = await answer(path, body, method!)
    const type = { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }
    response.writeHead(status, { ...type, ...headers }).end(bytes ?? JSON.stringify(json))
  })
  const { origin } = new URL(provider.url)
  const urls = Object.keys(CREDENTIALS).map((slug) => [
    `ATRIUM_CONNECTOR_${slug.toUpperCase().replaceAll('-', '_')}_URL`,
    origin,
  ])
  const env = { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ...Object.fromEntries(urls), ...options.env }
  const app = await buildTestApp({ ...options, env })
  const url = { client: null, url: origin, isDisabled: false, variables: [] }
  const connectors = Object.fromEntries(Object.keys(CREDENTIALS).map((slug) => [slug, url]))
  return {
    ...app,
    env,
    endpointOptions: { connectors, publicUrl: app.url, log: undefined } as unknown as EndpointOptions,
    /** Excludes connection checks. */
    sentTo: (part: string) => provider.requests.filter(({ path }) => path.includes(part)),
    answerWith: (next: ProviderHandler = OK) => {
      answer = next
    },
    async close() {
      await app.close()
      await provider.close()
    },
  }
}

export async function createConnectedUser(app: TestApp, slug: string, { model = 'test/echo' } = {}) {
  const { org, person } = await app.newUser({ role: 'owner', verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await app.project(person)
  const { id: agentId } = await client.agents.create({ name: 'Helper', model })
  const connectionId = await insertConnection(app, org.id, person.id, slug)
  type Input = Parameters<typeof client.connectorEndpoints.create>[0]
  const create = (fields: Partial<Input> = {}) =>
    client.connectorEndpoints.create({ id: connectionId, agentId, projectId, reply: 'auto', ...fields })
  const setStatus = (status: string) =>
    app.sql`update connections set status = ${status} where org_id = ${org.id} and id = ${connectionId}`
  return { org, person, client, projectId, agentId, connectionId, create, setStatus }
}

async function insertConnection(
  app: TestApp,
  orgId: string,
  userId: string,
  slug: string,
  credentials: Record<string, string> = CREDENTIALS[slug] ?? {},
) {
  const id = newId()
  const now = app.clock.now()
  const account = { id: ACCOUNTS[slug] ?? 'BOT', name: 'Bot', email: null, avatarUrl: null }
  await app.sql`
    insert into connections (org_id, id, user_id, connector_slug, status, account, created_at, updated_at)
    values (${orgId}, ${id}, ${userId}, ${slug}, 'active', ${app.sql.json(account)}, ${now}, ${now})`
  const secrets = { credentials, refreshToken: null }
  await app.sql`
    insert into connection_secrets (org_id, connection_id, sealed)
    values (${orgId}, ${id}, ${sealSecrets(app.app.system().vault, id, secrets)})`
  return id
}

export async function insertTenant(app: TestApp) {
  const { org, person } = await app.newUser({ role: 'owner' })
  const { id: projectId } = await app.project(person)
  const [agent] = await app.sql<{ id: string }[]>`select id from agents where org_id = ${org.id} limit 1`
  return { orgId: org.id, userId: person.id, projectId, agentId: agent!.id }
}

/** The provider proves requests with this secret. Skips registration. */
export async function insertTestEndpoint(
  app: TestApp,
  { orgId, userId, projectId, agentId }: Awaited<ReturnType<typeof insertTenant>>,
  slug: string,
  secret: string,
  { isProofKnown = true } = {},
) {
  const connectionId = await insertConnection(app, orgId, userId, slug, {
    ...CREDENTIALS[slug],
    appSecret: secret,
    authToken: secret,
    secret,
  })
  const id = newId()
  const proof = isProofKnown ? secret : null
  const secretUntil = isProofKnown ? null : new Date(app.clock.now().getTime() + 600_000)
  const sealed = sealEndpointSecrets(app.app.system().vault, id, { generated: secret, proof })
  await app.sql`
    insert into connector_endpoints (org_id, id, connection_id, connector_slug, name, project_id, agent_id, owner_id,
      session_key, reply, secret_sealed, has_proof_secret, secret_until, registration, created_at, updated_at)
    values (${orgId}, ${id}, ${connectionId}, ${slug}, 'Test', ${projectId}, ${agentId}, ${userId},
      '{provider}:{thread}', 'off', ${sealed}, ${isProofKnown}, ${secretUntil}, 'by_hand', now(), now())`
  await app.sql`insert into connector_counts (org_id, endpoint_id) values (${orgId}, ${id})`
  return { orgId, id, connectionId, agentId, path: `/api/v1/connectors/webhooks/${slug}/${id}` }
}

export const hmacHex = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex')

export function slackHeaders(secret: string, body: string, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${hmacHex(secret, `v0:${timestamp}:${body}`)}`,
  }
}

export const telegramUpdate = (
  id: number,
  text: string,
  { chat = 5, edited = false, messageId = id } = {},
) => ({
  update_id: id + (edited ? 1_000_000 : 0),
  [edited ? 'edited_message' : 'message']: {
    message_id: messageId,
    from: { id: 42, is_bot: false, first_name: 'Ada' },
    chat: { id: chat, type: 'private' },
    date: 1,
    text,
  },
})

interface StoredEvent {
  orgId: string
  status: string
  messageId: string | null
  sessionId: string | null
  seq: number
  duplicates: number
}

export async function telegramEndpoint(
  app: EndpointApp,
  fields: object = {},
  options: { model?: string } = {},
) {
  const setup = await createConnectedUser(app, 'telegram', options)
  const endpoint = await setup.create(fields)
  const registrations = app.sentTo('/setWebhook').map(({ body }) => JSON.parse(body))
  const secret: string = registrations.find(({ url }) => url === endpoint.url).secret_token
  const send = (update: object, token: string = secret) =>
    app.request('POST', new URL(endpoint.url).pathname, {
      headers: { 'x-telegram-bot-api-secret-token': token },
      body: update,
    })
  type Query = Omit<Parameters<typeof setup.client.connectorEndpoints.events>[0], 'id'>
  const events = async (query: Query = {}) =>
    (await setup.client.connectorEndpoints.events({ id: endpoint.id, limit: 100, ...query })).items
  /** In arrival order. */
  const sql = () => app.sql<StoredEvent[]>`
    select v.org_id as "orgId", v.status, v.message_id as "messageId", v.session_id as "sessionId", m.seq::int,
      coalesce(s.duplicates, 0) as duplicates
    from connector_events v
    left join messages m on m.org_id = v.org_id and m.session_id = v.session_id and m.id = v.message_id
    left join connector_seen s on s.org_id = v.org_id and s.endpoint_id = v.endpoint_id and s.event_id = v.id
    where v.endpoint_id = ${endpoint.id} order by v.id`
  const waitForEvents = async (count: number) => {
    const countEnded = async () =>
      (await sql()).filter(({ status }) => !['pending', 'running'].includes(status)).length
    await expect.poll(countEnded, { timeout: 300_000, interval: 100 }).toBe(count)
  }
  return { ...setup, endpoint, secret, send, events, sql, waitForEvents }
}
