import { once } from 'node:events'
import { loadavg } from 'node:os'
import { WebSocket } from 'ws'
import { issueToken } from '../server/features/telephony/relay/relay-token.ts'
import { hmac } from '../server/security/hmac.ts'
import { newId } from '../server/security/ids.ts'
import { createVault } from '../server/security/vault.ts'
import { openBenchDatabase } from './bench-database.ts'
import { median } from './compare.ts'
import { startProgram } from './program.ts'
import { report } from './report.ts'
import { SECRET } from './secret.ts'

const CALLS = 100
const TENANTS = 10
const TURNS = 3
const FIRST_WORDS_MS_MAX = 800
const MODEL = 'scripted/bench'
const ACCOUNT = { sid: `AC${'7'.repeat(32)}`, token: 'the-auth-token-of-the-bench' }

/** Measures the time from the model's first token to the carrier's first words, and memory. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, project } = database
const vault = createVault(SECRET)
const provider = await startProgram('model-server.ts', database.connection)
const scripted = {
  ATRIUM_PROVIDER_SCRIPTED_URL: `${provider.url}/v1`,
  ATRIUM_PROVIDER_SCRIPTED_MODELS: 'bench',
}
const twilio = { ATRIUM_TWILIO_ACCOUNT_SID: ACCOUNT.sid, ATRIUM_TWILIO_AUTH_TOKEN: ACCOUNT.token }
const api = await startProgram('subject.ts', database.connection, folder, { ...scripted, ...twilio })
const worker = await startProgram('worker.ts', database.connection, folder, scripted)
try {
  await measureCalls()
} finally {
  await Promise.all([api.stop(), worker.stop(), provider.stop()])
  await database.close()
}

async function createNumber(index: number) {
  const owner = await person(await organization(), { role: 'owner' })
  const { id: projectId } = await project(owner)
  const { orgId, id: ownerId } = owner
  const [agent] = await sql<{ id: string }[]>`select id from agents where org_id = ${orgId} limit 1`
  await sql`
    update agent_versions set settings = settings || ${sql.json({ model: MODEL })} where org_id = ${orgId}`
  const id = newId()
  await sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, capabilities, configures_urls,
      project_id, owner_id, created_at, updated_at)
    values (${orgId}, ${id}, ${`+4930000${1000 + index}`}, 'twilio', ${`PN${index}`}, ${ACCOUNT.sid},
      '{"voice":true,"sms":true,"mms":true}', false, ${projectId}, ${ownerId}, now(), now())`
  return { orgId, id, projectId, ownerId, agentId: agent!.id }
}
type BenchNumber = Awaited<ReturnType<typeof createNumber>>

/** Connects as the carrier does. */
async function connectCall({ orgId, id: numberId, projectId, ownerId, agentId }: BenchNumber) {
  const id = newId()
  const callSid = `CA${id}`
  await sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id,
      owner_id, agent_id, action, status, started_at)
    values (${orgId}, ${id}, 'inbound', 'twilio', ${callSid}, ${numberId}, '+4915112345678', '+4930000', ${projectId},
      ${ownerId}, ${agentId}, ${sql.json({ type: 'agent', agentId })}, 'ringing', now())`
  const { token } = await issueToken({ sql, vault, now: () => new Date() }, orgId, id)
  const url = `${api.url.replace('http', 'ws')}/api/v1/telephony/relay/${id}?token=${token}`
  const signature = hmac('sha1', Buffer.from(ACCOUNT.token), [url]).toString('base64')
  const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature } })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'setup', callSid }))
  return {
    socket,
    /**
     * `firstWordsMs` runs from the model's first token to the first text frame, `answerMs` from the sentence to the
     * last frame. `speak 40 50` makes the model server stream 40 words, one every 50 ms; the first word is its send
     * time.
     */
    ask: () =>
      new Promise<{ firstWordsMs: number; answerMs: number }>((resolve) => {
        const askedAt = performance.now()
        let firstWordsMs: number | undefined
        socket.on('message', function onMessage(data) {
          const frame = JSON.parse((data as Buffer).toString())
          // A preemptible frame is the filler "One moment, please", not the answer.
          if (frame.type !== 'text' || frame.preemptible) return
          const now = performance.timeOrigin + performance.now()
          if (frame.token) firstWordsMs ??= now - Number(frame.token.trim().split(' ')[0])
          if (!frame.last || firstWordsMs === undefined) return
          socket.off('message', onMessage)
          resolve({ firstWordsMs, answerMs: performance.now() - askedAt })
        })
        socket.send(JSON.stringify({ type: 'prompt', voicePrompt: 'speak 40 50', lang: 'en-US', last: true }))
      }),
  }
}

async function measureCalls() {
  const numbers = await Promise.all(Array.from({ length: TENANTS }, (_, index) => createNumber(index)))
  // Not measured: the first call loads code and fills caches.
  const warmUpCall = await connectCall(numbers[0]!)
  await warmUpCall.ask()
  const beforeMb = api.memoryMb()
  const calls = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => connectCall(numbers[index % TENANTS]!)),
  )
  let peakMb = api.memoryMb()
  const cpuBefore = api.cpuMs()
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, api.memoryMb())
  }, 200)
  const turns: { firstWordsMs: number; answerMs: number }[] = []
  for (let turn = 0; turn < TURNS; turn += 1)
    turns.push(...(await Promise.all(calls.map(({ ask }) => ask()))))
  clearInterval(sampling)
  const cpu = (api.cpuMs() - cpuBefore) / turns.length
  const times = turns.map(({ firstWordsMs }) => firstWordsMs).toSorted((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)]!
  const medianAnswerMs = median(turns.map(({ answerMs }) => answerMs))
  const load = `load average ${loadavg()[0]!.toFixed(1)}`
  report({
    name: `${CALLS} calls of one process: first token to first words`,
    ours: `${median(times).toFixed(0)} ms`,
    target: { text: `p95 ≤ ${FIRST_WORDS_MS_MAX} ms`, isMet: p95 <= FIRST_WORDS_MS_MAX },
    note: `p95 ${p95.toFixed(0)} ms, max ${times.at(-1)!.toFixed(0)} ms, a turn whose answer takes the model 2 s ${medianAnswerMs.toFixed(0)} ms and ${cpu.toFixed(1)} ms of CPU, ${load}`,
  })
  report({
    name: `${CALLS} calls of one process: memory per call`,
    ours: `${(((peakMb - beforeMb) * 1024) / CALLS).toFixed(0)} KB`,
    note: `${beforeMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at most`,
  })
  for (const { socket } of [warmUpCall, ...calls]) socket.terminate()
}
