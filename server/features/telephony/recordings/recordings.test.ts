import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import type { ScriptedCarrier } from '../../../testing/carrier/carrier.ts'
import { buildCarrierApp, CALLER, insertOpenCall } from '../../../testing/clients/open-call.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import { requestTranscript } from '../calls/reports.ts'
import { formatTranscript } from './transcript.ts'

/** Silence of a few milliseconds, as WAV. */
const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([0x2c, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from('data'),
  Buffer.from([8, 0, 0, 0]),
  Buffer.alloc(8, 0x80),
])

let app: TestApp
let twilio: ScriptedCarrier
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, twilio, close } = await buildCarrierApp())
})
afterAll(() => close())
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

async function insertRecordedCall() {
  const action = { type: 'voicemail', record: true }
  const call = await insertOpenCall(app, twilio, { action, startedAt: new Date('2026-11-16T09:05:00Z') })
  const { orgId, carrierCall, urlOf, timeline } = call
  return {
    ...call,
    send: (fields: Record<string, string>, query = '') =>
      twilio.follow(carrierCall, urlOf('recording', query), fields),
    types: async () => (await timeline()).map(([type]) => type),
    files: async () =>
      (
        await app.sql<{ name: string }[]>`
          select name from files where org_id = ${orgId} and rank > 0 and deleted_at is null`
      ).map(({ name }) => name),
  }
}

const content = { contentType: 'audio/wav', bytes: WAV }

test("a caller's message becomes a project file once and is deleted at the carrier", async () => {
  const { carrierCall, send, read, types, files } = await insertRecordedCall()
  const thanks = await send({ RecordingDuration: '7' }, '&step=ended')
  expect(thanks.text).toContain('Thank you for your message. Goodbye.</Say><Hangup/>')
  const recording = twilio.addRecording(carrierCall, content, 7)
  for (const { status } of await Promise.all([send(recording), send(recording)])) expect(status).toBe(204)
  const stored = twilio.recordings.find(({ resource }) => resource.sid === recording.RecordingSid)!
  await expect.poll(() => stored.isDeleted).toBe(true)
  expect(await read()).toMatchObject({ endReason: 'voicemail', recordingFileId: expect.any(String) })
  expect(await files()).toEqual([`2026-11-16 09.05 ${CALLER}.wav`])
  expect(await types()).toEqual(['recording.completed', 'recording.stored'])
})

test('a recording without storage space stays at the carrier, and the timeline shows why', async () => {
  const { orgId, carrierCall, send, read, types } = await insertRecordedCall()
  await app.sql`insert into quota_overrides (org_id, quota, allowed, updated_at) values (${orgId}, 'files', 0, now())`
  const recording = twilio.addRecording(carrierCall, content)
  await send(recording)
  await expect.poll(types).toContain('recording.kept')
  const stored = twilio.recordings.find(({ resource }) => resource.sid === recording.RecordingSid)!
  expect([stored.isDeleted, (await read()).recordingFileId]).toEqual([false, null])
})

test('a recording over 200 MB stays at the carrier and is not requested again', async () => {
  const { orgId, id, carrierCall, send, timeline, files } = await insertRecordedCall()
  const recording = twilio.addRecording(carrierCall, {
    ...content,
    length: TELEPHONY_LIMITS.recordingBytes + 1,
  })
  await send(recording)
  await expect.poll(async () => (await timeline()).at(-1)?.[0]).toBe('recording.kept')
  expect((await timeline()).at(-1)?.[1]).toBe('The recording stays at the carrier. It is larger than 200 MB')
  expect(await files()).toEqual([])
  await expect
    .poll(
      () => app.sql`
        select from graphile_worker._private_jobs where payload ->> 'callId' = ${id} and payload ->> 'orgId' = ${orgId}`,
    )
    .toEqual([])
})

test('a recording is not stored with permissions the member has lost', async () => {
  const { orgId, person, carrierCall, send, types, files } = await insertRecordedCall()
  await app.sql`delete from memberships where org_id = ${orgId} and user_id = ${person.id}`
  await send(twilio.addRecording(carrierCall, content))
  await expect.poll(types).toContain('recording.kept')
  expect(await files()).toEqual([])
})

test("a recorded call's transcript is a file in which nothing spoken is markup", async () => {
  const { orgId, id, projectId, agentId, person, client, read, files } = await insertRecordedCall()
  const session = await client.sessions.create({ projectId, agentId })
  await app.sql`update calls set session_id = ${session.id} where org_id = ${orgId} and id = ${id}`
  const call = await read()
  await app.sql.begin((sql) => requestTranscript(sql, orgId, call, new Date(Date.now() - 60_000)))
  await app.sql.begin((sql) => requestTranscript(sql, orgId, call, new Date(Date.now() - 60_000)))
  await expect.poll(async () => (await read()).transcriptFileId).not.toBeNull()
  expect(await files()).toEqual([`2026-11-16 09.05 ${CALLER}.md`])
  const entry = (role: 'user' | 'assistant', body: string, authorId: string | null = null) => ({
    ...{ role, body, authorId, createdAt: '2026-11-16T09:05:10.000Z' },
  })
  const messages = [
    entry('user', 'Hello\n# <b>[x](y)</b>'),
    entry('assistant', 'Good day.'),
    entry('user', 'Be brief', person.id),
  ]
  expect(formatTranscript(call, messages)).toBe(
    [
      `# Call from ${CALLER}`,
      '2026-11-16 09:05:00 UTC',
      `**${CALLER}** (09:05:10): Hello \\# \\<b\\>\\[x\\](y)\\</b\\>`,
      '**Agent** (09:05:10): Good day.',
      '**Member, not heard** (09:05:10): Be brief',
      '',
    ]
      .join('\n\n')
      .trimEnd()
      .concat('\n'),
  )
})
