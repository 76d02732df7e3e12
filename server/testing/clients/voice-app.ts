import { createHmac } from 'node:crypto'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ReceivedRequest, startReceiver } from '../fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

export const ELEVENLABS_SECRET = 'wsec_of_this_server'
export const OPENAI_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export type VoiceApp = Awaited<ReturnType<typeof buildVoiceApp>>
type Answer = (received: ReceivedRequest) => { status: number; json?: object } | 'drop'

const OK: Answer = () => ({ status: 200 })

/** Has accounts at both voice providers. OpenAI is a loopback server. */
export async function buildVoiceApp() {
  let answer = OK
  const socketsByCall = new Map<string, Set<WebSocket>>()
  const hangUp = (callId: string) => {
    const sockets = socketsByCall.get(callId) ?? []
    socketsByCall.delete(callId)
    for (const socket of sockets) socket.close()
  }
  const openai = await startReceiver((received, response) => {
    const outcome = answer(received)
    if (outcome === 'drop') return response.destroy()
    const [, callId, action] = /calls\/([^/]+)\/(\w+)$/.exec(received.path) ?? []
    if (outcome.status < 300 && callId && action === 'accept') socketsByCall.set(callId, new Set())
    else if (outcome.status < 300 && callId) hangUp(callId)
    return response
      .writeHead(outcome.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(outcome.json ?? {}))
  })
  const sockets = new WebSocketServer({ noServer: true })
  openai.server.on('upgrade', (request, connection, head) => {
    // An abrupt client resets the connection, and an unhandled error would end the test run.
    connection.on('error', () => {})
    const followers = socketsByCall.get(new URL(request.url!, 'http://openai').searchParams.get('call_id')!)
    if (!followers) return connection.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
    return sockets.handleUpgrade(request, connection, head, (socket) =>
      followers.add(socket.on('error', () => {})),
    )
  })
  const app = await buildTestApp({
    env: {
      ATRIUM_PUBLIC_URL: 'http://atrium.example',
      ATRIUM_OPENAI_API_KEY: 'sk-of-this-server',
      ATRIUM_OPENAI_URL: new URL(openai.url).origin,
      ATRIUM_ELEVENLABS_WEBHOOK_SECRET: ELEVENLABS_SECRET,
      ATRIUM_OPENAI_WEBHOOK_SECRET: OPENAI_SECRET,
    },
  })
  await app.app.startWorker()
  return {
    ...app,
    requestsFor: (callId: string) =>
      openai.requests
        .filter(({ path }) => path.includes(`/${callId}/`))
        .map(({ path, body, headers }) => ({
          action: path.split('/').at(-1)!,
          body: body === '' ? null : JSON.parse(body),
          authorization: headers.authorization,
        })),
    hangUp,
    followers: (callId: string) =>
      [...(socketsByCall.get(callId) ?? [])].filter(({ readyState }) => readyState === 1),
    answerWith: (next: Answer = OK) => {
      answer = next
    },
    async close() {
      await app.close()
      await openai.close()
    },
  }
}

interface VoiceOptions {
  provider?: 'openai' | 'elevenlabs'
  /** Null for this server's secret. */
  webhookSecret?: string | null
  model?: string
}

let agents = 0

export async function addVoiceAgent(app: TestApp, options: VoiceOptions = {}) {
  const { provider = 'elevenlabs', webhookSecret = null, model = 'test/echo' } = options
  const { org, person } = await app.newUser({ role: 'owner', verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await app.project(person)
  const agent = await client.agents.create({ name: 'Reception', model, prompt: 'Be kind to callers.' })
  const providerAgentId = `agent_${++agents}`
  const voiceAgent = await client.voiceAgents.create({
    ...{ provider, agentId: agent.id, projectId },
    ...(provider === 'elevenlabs' && { providerAgentId }),
    ...(webhookSecret !== null && { webhookSecret }),
  })
  return { org, person, client, projectId, agent, voiceAgent, providerAgentId }
}

/** Signed like ElevenLabs: hex HMAC-SHA256 over `t.body`. */
export function sendPostCall(
  app: TestApp,
  event: object | string,
  { secret = ELEVENLABS_SECRET, voiceAgentId, at = app.clock.now() }: VoiceWebhookOptions = {},
) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const t = Math.floor(at.getTime() / 1000)
  const v0 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return app.request('POST', `/api/v1/telephony/elevenlabs/webhook${voiceAgentQuery(voiceAgentId)}`, {
    headers: { 'content-type': 'application/json', 'elevenlabs-signature': `t=${t},v0=${v0}` },
    body,
  })
}

export interface VoiceWebhookOptions {
  secret?: string
  voiceAgentId?: string | undefined
  at?: Date
}

export const voiceAgentQuery = (id: string | undefined) => (id === undefined ? '' : `?voice-agent=${id}`)

export const sendTool = (
  app: TestApp,
  tool: 'tools/close-conversation' | 'tools/queue-agent-run' | 'initiation',
  voiceAgent: { id: string; secret: string },
  body: object | string,
) =>
  app.request('POST', `/api/v1/telephony/elevenlabs/${tool}${voiceAgentQuery(voiceAgent.id)}`, {
    headers: { 'content-type': 'application/json', 'x-atrium-tool-secret': voiceAgent.secret },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Follows Standard Webhooks. */
export function signOpenAi(body: string, { secret = OPENAI_SECRET, at }: { secret?: string; at: Date }) {
  const id = 'wh_1'
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const tag = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${tag}` }
}

export const incomingCall = (callId: string, { from = '+4915112345678', to = '+4930999' } = {}) => ({
  object: 'event',
  id: `evt_${callId}`,
  type: 'realtime.call.incoming',
  created_at: 1,
  data: {
    call_id: callId,
    sip_headers: [
      { name: 'From', value: `"A caller" <sip:${from}@sip.example>;tag=1` },
      { name: 'To', value: `<sip:${to}@sip.api.openai.com;transport=tls>` },
    ],
  },
})
