import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openBenchDatabase } from './bench-database.ts'
import { startProgram } from './program.ts'
import { report } from './report.ts'

/**
 * Measures a quiet organization's read latency, alone and beside a greedy client. The greedy client has its own thread,
 * so it doesn't delay the measurement.
 */
const GREEDY_CONNECTIONS = 200
const QUIET_REQUESTS = 200
const QUIET_PAUSE_MS = 5
const WARM_UP_MS = 1500
/** Target: five times the solo latency, or this. */
const P95_MS = 60

interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

interface Latency {
  p50: number
  p95: number
}

if (isMainThread) await measure()
else await flood(workerData as { url: string; call: Call })

async function measure(): Promise<void> {
  const database = await openBenchDatabase()
  const { organization, person, key } = database
  const subject = await startProgram('subject.ts', database.connection, database.folder)
  const createTenant = async () => {
    const user = await person(await organization())
    return { authorization: `Bearer ${(await key(user, ['files:write'])).key}` }
  }
  try {
    const greedy = await createTenant()
    const quiet = await createTenant()
    const json = { ...greedy, 'content-type': 'application/json' }
    const post = (path: string, body: unknown) =>
      send(subject.url, { method: 'POST', path, headers: json, body: JSON.stringify(body) })
    const project = JSON.parse((await post('/api/v1/projects', { name: 'Plans' })).body) as { id: string }
    const file = JSON.parse(
      (
        await post('/api/v1/files/text', {
          name: 'notes.txt',
          text: 'A line of ordinary text.\n'.repeat(16_000),
        })
      ).body,
    ) as { data: { id: string } }
    await send(subject.url, {
      method: 'POST',
      path: '/api/v1/projects',
      headers: { ...json, ...quiet },
      body: '{"name":"Quiet"}',
    })

    const mcp = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_projects', arguments: {} },
    }
    const verify = { secret: 'a secret of a sender', payload: 'x'.repeat(20_000), headers: {} }
    const rows: Record<string, Call> = {
      previews: { method: 'GET', path: `/api/v1/files/${file.data.id}/preview`, headers: greedy },
      'MCP calls': {
        method: 'POST',
        path: '/mcp',
        headers: { ...json, accept: 'application/json, text/event-stream' },
        body: JSON.stringify(mcp),
      },
      'webhooks/verify': {
        method: 'POST',
        path: '/api/v1/webhooks/verify',
        headers: json,
        body: JSON.stringify(verify),
      },
      'unsigned telephony': {
        method: 'POST',
        path: '/api/v1/telephony/webhooks/voice',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'CallSid=CA1&From=%2B15550001&To=%2B15550002',
      },
      'wrong keys': {
        method: 'GET',
        path: '/api/v1/projects',
        headers: { authorization: `Bearer ${'x'.repeat(40)}` },
      },
      'API reference': { method: 'GET', path: '/api/v1/openapi.json', headers: {} },
      documents: { method: 'GET', path: '/docs', headers: {} },
      lists: { method: 'GET', path: '/api/v1/projects', headers: greedy },
      writes: {
        method: 'PATCH',
        path: `/api/v1/projects/${project.id}`,
        headers: json,
        body: '{"description":"More"}',
      },
      search: { method: 'GET', path: '/api/v1/search?q=plans', headers: greedy },
    }
    const read = () => latencyOf(subject.url, { method: 'GET', path: '/api/v1/projects', headers: quiet })
    console.log(`load average ${loadavg()[0]!.toFixed(1)}`)
    await read()
    for (const [name, call] of Object.entries(rows)) {
      await database.sql`truncate rate_limits`
      const alone = await read()
      const worker = new Worker(new URL(import.meta.url), { workerData: { url: subject.url, call } })
      await sleep(WARM_UP_MS)
      const beside = await read()
      const counts = await stopFlood(worker)
      const max = Math.max(5 * alone.p95, P95_MS)
      report({
        name,
        ours: `p50 ${beside.p50.toFixed(0)} ms, p95 ${beside.p95.toFixed(0)} ms`,
        floor: `p50 ${alone.p50.toFixed(0)} ms, p95 ${alone.p95.toFixed(0)} ms`,
        target: { text: `p95 ≤ ${max.toFixed(0)} ms`, isMet: beside.p95 <= max },
        note: `greedy: ${JSON.stringify(counts)}`,
      })
    }
  } finally {
    await subject.stop()
    await database.close()
  }
}

async function latencyOf(url: string, call: Call): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let n = 0; n < QUIET_REQUESTS; n++) {
    const startedAt = performance.now()
    const { status } = await send(url, call, agent)
    if (status !== 200) throw new Error(`The quiet organization got ${status}`)
    times.push(performance.now() - startedAt)
    await sleep(QUIET_PAUSE_MS)
  }
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(share * times.length)]!
  return { p50: at(0.5), p95: at(0.95) }
}

async function stopFlood(worker: Worker): Promise<unknown> {
  const counts = new Promise((resolve) => worker.once('message', resolve))
  worker.postMessage('stop')
  const result = await counts
  await worker.terminate()
  return result
}

async function flood({ url, call }: { url: string; call: Call }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: GREEDY_CONNECTIONS })
  const counts: Record<number, number> = {}
  let isStopped = false
  parentPort!.once('message', () => {
    isStopped = true
    parentPort!.postMessage(counts)
  })
  await Promise.all(
    Array.from({ length: GREEDY_CONNECTIONS }, async () => {
      while (!isStopped) {
        const { status } = await send(url, call, agent).catch(() => ({ status: 0 }))
        counts[status] = (counts[status] ?? 0) + 1
      }
    }),
  )
}

function send(url: string, { method, path, headers, body }: Call, agent?: Agent) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
