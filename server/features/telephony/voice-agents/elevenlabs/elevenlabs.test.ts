import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addVoiceAgent,
  buildVoiceApp,
  ELEVENLABS_SECRET,
  sendPostCall,
  type VoiceApp,
} from '../../../../testing/clients/voice-app.ts'

let app: VoiceApp
beforeAll(async () => {
  app = await buildVoiceApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})

let conversations = 0
const nextConversation = () => `conv_${++conversations}`

type Agent = Awaited<ReturnType<typeof addVoiceAgent>>

const transcription = ({ providerAgentId }: Agent, conversationId: string, data: object = {}) => ({
  type: 'post_call_transcription',
  event_timestamp: 1,
  data: {
    agent_id: providerAgentId,
    conversation_id: conversationId,
    status: 'done',
    transcript: [
      { role: 'agent', message: 'Good morning, how can I help?', time_in_call_secs: 0 },
      { role: 'user', message: 'I want to change', time_in_call_secs: 3 },
      { role: 'user', message: 'my appointment.', time_in_call_secs: 4 },
      { role: 'agent', message: null, time_in_call_secs: 5, tool_calls: [] },
      { role: 'agent', message: 'Of course.', time_in_call_secs: 9 },
    ],
    metadata: {
      start_time_unix_secs: 1_794_000_000,
      call_duration_secs: 61,
      cost: 300,
      cost_fiat: 0.1234567,
      termination_reason: 'Call ended by remote party',
      phone_call: {
        direction: 'inbound',
        agent_number: '+4930111',
        external_number: '+4915199',
        call_sid: 'CA1',
        type: 'twilio',
      },
    },
    analysis: { call_successful: 'success', transcript_summary: 'A caller changed an appointment.' },
    ...data,
  },
})

/** A few frames of silence. */
const MP3 = Buffer.concat(
  Array.from({ length: 40 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
)

const audio = ({ providerAgentId }: Agent, conversationId: string, content: Buffer = MP3) => ({
  type: 'post_call_audio',
  event_timestamp: 1,
  data: {
    agent_id: providerAgentId,
    conversation_id: conversationId,
    full_audio: content.toString('base64'),
  },
})

const callsOf = ({ org }: Agent) => app.sql<
  {
    id: string
    status: string
    from: string
    to: string
    endReason: string
    seconds: number
    summary: string
    cost: string
    isEstimate: boolean
    sessionId: string | null
    transcript: string | null
    recording: string | null
  }[]
>`
  select id, status, from_number as "from", to_number as "to", end_reason as "endReason", duration_seconds as seconds,
    summary, cost::text, cost_is_estimate as "isEstimate", session_id as "sessionId", transcript_file_id as transcript,
    recording_file_id as recording
  from calls where org_id = ${org.id} order by started_at`
const countObjects = async ({ org }: Agent) =>
  (await app.sql`select from objects where org_id = ${org.id}`).length
const entriesOf = ({ org }: Agent) =>
  app.sql<{ type: string; detail: string | null }[]>`
    select type, detail from call_entries where org_id = ${org.id} order by seq`
const refusalsOf = async ({ org }: Agent) =>
  (
    await app.sql<{ reason: string }[]>`
      select verification ->> 'reason' as reason from events where org_id = ${org.id} and status = 'rejected'`
  ).map(({ reason }) => reason)

describe('ended conversation', () => {
  test('becomes one call with messages, file, cost and recording, even if reported several times', async () => {
    const agent = await addVoiceAgent(app)
    const id = nextConversation()
    const events = [audio(agent, id), transcription(agent, id), audio(agent, id), transcription(agent, id)]
    for (const event of events) expect((await sendPostCall(app, event)).status).toBe(200)
    const [call, ...others] = await callsOf(agent)
    expect(others).toEqual([])
    expect(call).toMatchObject({
      ...{ status: 'completed', from: '+4915199', to: '+4930111', endReason: 'caller_hung_up', seconds: 61 },
      ...{ summary: 'A caller changed an appointment.', cost: '0.123457', isEstimate: false },
    })
    const { client } = agent
    const { items } = await client.sessions.messages({ id: call!.sessionId!, after: 0 })
    expect(items.map(({ role, text, trust }) => [role, text, trust])).toEqual([
      ['user', 'Call from +4915199', 'verified'],
      ['assistant', 'Good morning, how can I help?', 'verified'],
      ['user', 'I want to change\nmy appointment.', 'verified'],
      ['assistant', 'Of course.', 'verified'],
    ])
    const file = await client.files.get({ id: call!.transcript! })
    expect(file).toMatchObject({ mimeType: 'text/markdown', projectId: agent.projectId })
    const { text } = await client.fileTexts.read({ id: file.id })
    expect(text).toContain('**Caller** (0:03): I want to change\nmy appointment.')
    const recording = await client.files.get({ id: call!.recording! })
    expect(recording).toMatchObject({ mimeType: 'audio/mpeg', size: MP3.length })
    expect(await countObjects(agent)).toBe(2)
    const types = (await client.webhooks.events({ type: 'call.*' })).items.map(({ type }) => type)
    expect(types.toSorted()).toEqual(['call.ended', 'call.started'])
  })

  test('is refused on each route with a stale, forged or missing signature, as the event log shows', async () => {
    const agent = await addVoiceAgent(app, { webhookSecret: 'wsec_of_the_organization' })
    const { id: voiceAgentId } = agent.voiceAgent
    const secret = 'wsec_of_the_organization'
    const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000)
    for (const event of [transcription(agent, nextConversation()), audio(agent, nextConversation())]) {
      const attempts = [
        { voiceAgentId, secret: ELEVENLABS_SECRET },
        { voiceAgentId, secret, at: later(-1900) },
        { voiceAgentId, secret, at: later(400) },
        { voiceAgentId: agent.agent.id, secret },
        // The secret of the organization is not accepted where the secret of this server is required.
        { secret },
      ]
      for (const attempt of attempts) expect((await sendPostCall(app, event, attempt)).status).toBe(403)
    }
    const unsigned = await app.request('POST', new URL(agent.voiceAgent.urls.webhook).pathname, { body: {} })
    expect(unsigned.status).toBe(403)
    expect(await callsOf(agent)).toEqual([])
    // A recording is stored while it arrives, and removed once its signature turns out to be wrong.
    expect(await countObjects(agent)).toBe(0)
    const reasons = ['bad_signature', 'timestamp_skew', 'timestamp_skew']
    expect((await refusalsOf(agent)).toSorted()).toEqual([...reasons, ...reasons].toSorted())
    const { items } = await agent.client.webhooks.events({ status: 'rejected' })
    expect(items.map(({ source }) => source)).toEqual(Array(6).fill('elevenlabs'))
  })

  test("belongs to the secret's organization: another conversation or agent id changes nothing", async () => {
    const [victim, attacker] = [
      await addVoiceAgent(app),
      await addVoiceAgent(app, { webhookSecret: 'wsec_b1234' }),
    ]
    const id = nextConversation()
    await sendPostCall(app, transcription(victim, id))
    const before = await callsOf(victim)
    const proof = { voiceAgentId: attacker.voiceAgent.id, secret: 'wsec_b1234' }
    const replaced = { analysis: { transcript_summary: 'Replaced' } }
    for (const event of [
      transcription(attacker, id, replaced),
      transcription(victim, nextConversation(), replaced),
      audio(attacker, id),
      { type: 'call_initiation_failure', data: { agent_id: attacker.providerAgentId, conversation_id: id } },
    ])
      expect((await sendPostCall(app, event, proof)).status).toBe(200)
    expect(await callsOf(victim)).toEqual(before)
    expect(await callsOf(attacker)).toEqual([])
    expect(await countObjects(attacker)).toBe(0)
  })

  test('reports why a recording cannot be stored, and adds no file', async () => {
    const agent = await addVoiceAgent(app)
    await sendPostCall(app, audio(agent, nextConversation(), Buffer.from('MZ'.repeat(5000))))
    expect(await entriesOf(agent)).toEqual([{ type: 'recording_not_stored', detail: expect.any(String) }])
    expect(await countObjects(agent)).toBe(0)
    const huge = await fetch(
      `${app.url}/api/v1/telephony/elevenlabs/webhook?voice-agent=${agent.voiceAgent.id}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'elevenlabs-signature': `t=${Math.floor(app.clock.now().getTime() / 1000)},v0=${'0'.repeat(64)}`,
        },
        body: `{"data":{"transcript":"${'x'.repeat(9_000_000)}"}}`,
      },
    )
    expect(huge.status).toBe(413)
    expect(await refusalsOf(agent)).toEqual(['too_large'])
  })

  test("fails with the provider's reason", async () => {
    const agent = await addVoiceAgent(app)
    const failure = (reason: string) => ({
      type: 'call_initiation_failure',
      data: { agent_id: agent.providerAgentId, conversation_id: nextConversation(), failure_reason: reason },
    })
    await sendPostCall(app, failure('busy'))
    await sendPostCall(app, failure('no-answer'))
    await sendPostCall(app, failure('unknown'))
    expect((await callsOf(agent)).map(({ status, endReason }) => [status, endReason])).toEqual([
      ['busy', 'busy'],
      ['no_answer', 'no_answer'],
      ['failed', 'carrier_failed'],
    ])
  })

  test("writes nothing into a project the voice agent's owner has lost", async () => {
    const agent = await addVoiceAgent(app)
    await app.sql`delete from memberships where org_id = ${agent.org.id} and user_id = ${agent.person.id}`
    const id = nextConversation()
    await sendPostCall(app, transcription(agent, id))
    await sendPostCall(app, audio(agent, id))
    const [call] = await callsOf(agent)
    expect(call).toMatchObject({ status: 'completed', sessionId: null, transcript: null, recording: null })
    expect(await countObjects(agent)).toBe(0)
  })
})
