import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai'
import { readEvents } from '../client/event-stream.ts'
import { createLanguageModel } from '../server/language-models/language-model.ts'
import type { ModelProvider } from '../server/language-models/provider.ts'
import { trustedFetch } from '../server/language-models/trusted-fetch.ts'
import { openBenchDatabase } from './bench-database.ts'
import { compareTimes, cpuNote, median } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportGrowth } from './report.ts'

const OVERHEAD_MS_MAX = 15
const LATENCY_MS_MAX = 100
const STEPS = 20
const RUNS = 11
const DELTAS = 100
const DELTA_MS = 50
const STREAMS = 200
const READERS_PER_TENANT = 10
const FEW = 10
const MANY = 10_000
const PAGE = 10
const ROUNDS = 300
const MODEL = 'scripted/bench'

/** Measures step cost, delta latency, many readers, and long sessions. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key, project } = database
const provider = await startProgram('model-server.ts', database.connection)
const env = { ATRIUM_PROVIDER_SCRIPTED_URL: `${provider.url}/v1`, ATRIUM_PROVIDER_SCRIPTED_MODELS: 'bench' }
const api = await startProgram('subject.ts', database.connection, folder)
const worker = await startProgram('worker.ts', database.connection, folder, env)
try {
  await measureSteps()
  await measureLatency()
  await measureStreams()
  await measureLongSession()
} finally {
  await Promise.all([api.stop(), worker.stop(), provider.stop()])
  await database.close()
}

/** Other load on the machine skews every figure. */
function loadNote(): string {
  return `load average ${loadavg()[0]!.toFixed(1)}`
}

async function createTenant() {
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner)).key
  const { id: projectId } = await project(owner)
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }
  const { items } = await send('GET', '/agents')
  await send('PATCH', `/agents/${items[0].id}`, { model: MODEL, maxSteps: 100 })
  return {
    orgId: owner.orgId,
    secret,
    projectId,
    send,
    startRun: async (content: string): Promise<string> =>
      (await send('POST', '/sessions', { projectId, message: { content } })).run.id,
  }
}
type Tenant = Awaited<ReturnType<typeof createTenant>>

/** Alternates runs and bare SDK calls against the same provider. */
async function measureSteps() {
  const tenant = await createTenant()
  const rounds = {
    ours: [] as number[],
    bare: [] as number[],
    oursCpu: [] as number[],
    bareCpu: [] as number[],
  }
  for (let round = 0; round < RUNS; round++) {
    const cpuBefore = process.cpuUsage()
    rounds.bare.push((await timeBareCalls()) / STEPS)
    const { user, system } = process.cpuUsage(cpuBefore)
    rounds.bareCpu.push((user + system) / 1000 / STEPS)
    const workerBefore = worker.cpuMs()
    rounds.ours.push((await timeRun(tenant)) / STEPS)
    rounds.oursCpu.push((worker.cpuMs() - workerBefore) / STEPS)
  }
  const [oursMs, bareMs] = [median(rounds.ours), median(rounds.bare)]
  const cpu = cpuNote(median(rounds.oursCpu), median(rounds.bareCpu))
  const isMet = oursMs - bareMs <= OVERHEAD_MS_MAX
  report({
    name: 'a step, without the call of the SDK',
    ours: `${(oursMs - bareMs).toFixed(1)} ms`,
    target: { text: `≤ ${OVERHEAD_MS_MAX} ms`, isMet },
    note: `${oursMs.toFixed(1)} ms with its tool call, bare call ${bareMs.toFixed(1)} ms, ${cpu}, ${loadNote()}`,
  })
}

async function timeRun(tenant: Tenant): Promise<number> {
  const runId = await tenant.startRun(`steps ${STEPS}`)
  for (;;) {
    const [run] = await sql<{ ms: number | null; status: string }[]>`
      select status, extract(epoch from finished_at - started_at)::float * 1000 as ms from runs where id = ${runId}`
    if (run!.status === 'succeeded') return run!.ms!
    if (run!.status === 'failed') throw new Error('The run failed')
    await sleep(20)
  }
}

async function timeBareCalls(): Promise<number> {
  const modelProvider: ModelProvider = {
    id: 'scripted',
    kind: 'openai-compatible',
    name: 'Scripted',
    url: `${provider.url}/v1`,
    apiKey: null,
    models: [],
    source: 'environment',
    cacheKey: 'bench',
  }
  const model = await createLanguageModel(modelProvider, 'bench', trustedFetch)
  const inputSchema = jsonSchema({ type: 'object' })
  const tools = { search_actions: tool({ description: 'Finds actions', inputSchema }) }
  const messages: ModelMessage[] = [{ role: 'user', content: `steps ${STEPS}` }]
  const start = performance.now()
  for (let step = 0; step < STEPS; step++) {
    const { fullStream, response } = streamText({
      model,
      messages,
      tools,
      stopWhen: stepCountIs(1),
      maxRetries: 0,
    })
    let toolCallId: string | null = null
    for await (const part of fullStream) if (part.type === 'tool-call') toolCallId = part.toolCallId
    messages.push(...(await response).messages)
    const output = { type: 'text' as const, value: 'found' }
    if (toolCallId !== null)
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: 'search_actions', output }],
      })
  }
  return performance.now() - start
}

/** Returns each delta's latency from the provider to this process. */
async function followRun({ secret }: Tenant, runId: string): Promise<number[]> {
  const latencies: number[] = []
  const response = await fetch(`${api.url}/api/v1/runs/${runId}/stream`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  if (!response.ok) throw new Error(await response.text())
  for await (const { name, data } of readEvents(response.body!)) {
    const now = performance.timeOrigin + performance.now()
    if (name === 'text')
      for (const sentAt of JSON.parse(data).text.trim().split(' ')) latencies.push(now - Number(sentAt))
    if (name === 'run.finished') break
  }
  return latencies
}

/** The worker stores a delta, and another process sends it to the reader. */
async function measureLatency() {
  const tenant = await createTenant()
  const latencies = await followRun(tenant, await tenant.startRun(`stream ${DELTAS} ${DELTA_MS}`))
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)]!
  report({
    name: 'from a delta to a reader of another process',
    ours: `${median(latencies).toFixed(1)} ms`,
    target: { text: `≤ ${LATENCY_MS_MAX} ms`, isMet: median(latencies) <= LATENCY_MS_MAX },
    note: `median of ${latencies.length}, p99 ${p99.toFixed(0)} ms, ${loadNote()}`,
  })
}

async function measureStreams() {
  const tenants = await Promise.all(Array.from({ length: STREAMS / READERS_PER_TENANT }, createTenant))
  const beforeMb = api.memoryMb()
  let peakMb = beforeMb
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, api.memoryMb())
  }, 200)
  const latencies = await Promise.all(
    tenants.map(async (tenant) => {
      const runId = await tenant.startRun(`stream ${DELTAS} ${DELTA_MS}`)
      return Promise.all(Array.from({ length: READERS_PER_TENANT }, () => followRun(tenant, runId)))
    }),
  )
  clearInterval(sampling)
  const all = latencies.flat(2)
  const isComplete = all.length === STREAMS * DELTAS
  report({
    name: `${STREAMS} streams of one process`,
    ours: `${(peakMb - beforeMb).toFixed(0)} MB`,
    target: { text: `all ${STREAMS * DELTAS} deltas`, isMet: isComplete },
    note: `${beforeMb.toFixed(0)} MB before, latency ${median(all).toFixed(0)} ms, ${all.length} deltas, ${loadNote()}`,
  })
}

async function measureLongSession() {
  const tenant = await createTenant()
  const createSession = async (messages: number) => {
    const { id } = await tenant.send('POST', '/sessions', { projectId: tenant.projectId })
    await sql`
      insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
      select ${tenant.orgId}, ${id}, n, gen_random_uuid(), case n % 2 when 1 then 'user' else 'assistant' end,
        jsonb_build_array(jsonb_build_object('type', 'text', 'text', 'A message of ordinary length, number ' || n)),
        'A message of ordinary length, number ' || n, 'trusted', now()
      from generate_series(1, ${messages}::int) n`
    await sql`update agent_sessions set message_seq = ${messages} where org_id = ${tenant.orgId} and id = ${id}`
    return id as string
  }
  const [shortSession, longSession] = [await createSession(FEW), await createSession(MANY)]
  await sql`analyze messages`
  const reads: [string, (id: string) => string][] = [
    ['newest messages', (id) => `/sessions/${id}/messages?limit=${PAGE}`],
    ['oldest messages', (id) => `/sessions/${id}/messages?limit=${PAGE}&after=0`],
    ['session', (id) => `/sessions/${id}`],
  ]
  for (const [name, path] of reads) {
    const read = (id: string) => tenant.send('GET', path(id))
    await Promise.all([shortSession, longSession].map(read))
    reportGrowth(
      `${name}, ${MANY} and ${FEW} messages`,
      await compareTimes(
        () => read(shortSession),
        () => read(longSession),
        ROUNDS,
      ),
    )
  }
}
