import { expect } from 'vitest'
import { createMcpClient } from './mcp.ts'
import {
  addVoiceAgent,
  incomingCall,
  signOpenAi,
  type VoiceApp,
  type VoiceWebhookOptions,
  voiceAgentQuery,
} from './voice-app.ts'

export const OWN_SECRET = 'whsec_b3duIHNlY3JldCBvZiB0aGUgb3JnYW5pemF0aW9u'

type Agent = Awaited<ReturnType<typeof addVoiceAgent>>

let calls = 0

export function openAiCalls(app: VoiceApp) {
  const nextCall = () => `rtc_${++calls}`

  function send(event: object, { secret, voiceAgentId, at = app.clock.now() }: VoiceWebhookOptions = {}) {
    const body = JSON.stringify(event)
    return app.request('POST', `/api/v1/telephony/openai/webhook${voiceAgentQuery(voiceAgentId)}`, {
      headers: { 'content-type': 'application/json', ...signOpenAi(body, { at, ...(secret && { secret }) }) },
      body,
    })
  }

  const addOwnVoiceAgent = (options: Parameters<typeof addVoiceAgent>[1] = {}) =>
    addVoiceAgent(app, { provider: 'openai', webhookSecret: OWN_SECRET, ...options })
  const proofOf = ({ voiceAgent }: Agent): VoiceWebhookOptions => ({
    secret: OWN_SECRET,
    voiceAgentId: voiceAgent.id,
  })

  const callOf = async (callId: string) => {
    const [row] = await app.sql<
      {
        id: string
        orgId: string
        status: string
        endReason: string
        from: string
        to: string
        cost: string
      }[]
    >`
      select id, org_id as "orgId", status, end_reason as "endReason", from_number as "from", to_number as "to", cost::text
      from calls where provider_id = ${callId}`
    return row
  }
  const waitForStatus = (callId: string, status: string) =>
    expect.poll(async () => (await callOf(callId))?.status, { timeout: 20_000 }).toBe(status)
  const waitForRequests = (callId: string, ...actions: string[]) =>
    expect
      .poll(() => app.requestsFor(callId).map(({ action }) => action), { timeout: 20_000 })
      .toEqual(actions)

  async function answerCall(agent: Agent) {
    const callId = nextCall()
    expect((await send(incomingCall(callId), proofOf(agent))).status).toBe(200)
    await waitForStatus(callId, 'in_progress')
    const { authorization } = app.requestsFor(callId)[0]!.body.tools[0]
    return {
      callId,
      token: authorization,
      mcp: createMcpClient(app, { authorization: `Bearer ${authorization}` }),
    }
  }

  return { nextCall, send, addOwnVoiceAgent, proofOf, callOf, waitForStatus, waitForRequests, answerCall }
}
