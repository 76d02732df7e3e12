import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, toRoutes } from '../client/client.ts'
import { type Contract, contract } from '../contract/index.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { createLog } from '../server/log.ts'
import { openEventStream } from '../server/testing/clients/live.ts'
import { startReceiver } from '../server/testing/fakes/receiver.ts'
import { openBenchDatabase } from './bench-database.ts'
import { SECRET as secret } from './secret.ts'

/**
 * `npm run walks`: prints which server files execute for five requests, as V8 counts calls. `-- --files` also lists
 * them. Excludes functions that run as often without the request.
 */
const REPEATS = 10
const WINDOW_MS = 4000
const IDLE_WINDOWS = 4
const SERVER = fileURLToPath(new URL('../server/', import.meta.url))

const database = await openBenchDatabase()
const { connection, folder, sql } = database
const receiver = await startReceiver()
const app = await createApp({
  config: readConfig({
    PORT: '0',
    ATRIUM_DATA: folder,
    ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ATRIUM_OLLAMA_URL: 'off',
    ATRIUM_TEST_MODELS: '1',
  }),
  connection,
  isOnlyProcess: true,
  secret,
  log: await createLog('error'),
})
const url = await app.listen()
await app.startWorker()

const owner = await database.person(await database.organization(), { role: 'owner' })
const { key } = await database.key(owner, ['files:write', 'mcp:write'])
const { cookie } = await database.session(owner)
const { id: projectId } = await database.project(owner)
const byKey = { authorization: `Bearer ${key}` }
const inBrowser = { cookie, origin: url }
const client = createClient<Contract>(toRoutes(contract), { baseUrl: url, headers: () => inBrowser })
const agent = await client.agents.create({ name: 'Walker', model: 'test/script' })
const hook = await client.webhooks.create({
  name: 'Walk',
  source: 'shop',
  scheme: 'secret',
  url: receiver.url,
})
const live = await openEventStream({ url }, `/api/v1/projects/${projectId}/live`, inBrowser)

const post = async (path: string, headers: Record<string, string>, body: string | FormData) => {
  const type: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const response = await fetch(url + path, { method: 'POST', headers: { ...type, ...headers }, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}
const until = async (isDone: () => boolean | Promise<boolean>) => {
  while (!(await isDone())) await sleep(20)
}
let number = 0
const edit = () => ({ create: [{ type: 'note', content: `Note ${++number}` }] })

const WALKS: Record<string, () => Promise<unknown>> = {
  'POST /projects/:id/blocks': () =>
    post(`/api/v1/projects/${projectId}/blocks`, byKey, JSON.stringify({ type: 'note', content: 'Note' })),
  'upload by form': () => {
    const form = new FormData()
    form.set('file', new Blob(['text']), `file-${++number}.txt`)
    return post('/api/v1/files', byKey, form)
  },
  'webhook received → delivered': async () => {
    const before = receiver.requests.length
    const headers = { 'x-webhook-secret': hook.secret! }
    await post(new URL(hook.receiveUrl!).pathname, headers, `{"number":${++number}}`)
    await until(() => receiver.requests.length > before)
  },
  'chat message → run → edit_canvas → other browser': async () => {
    const before = live.events.length
    const content = [
      '```script',
      `call edit_canvas ${JSON.stringify(edit())}`,
      '---',
      'say Done',
      '```',
    ].join('\n')
    const { run } = await client.sessions.create({ projectId, agentId: agent.id, message: { content } })
    await until(async () => {
      const [row] = await sql<{ status: string }[]>`select status from runs where id = ${run!.id}`
      if (row!.status === 'failed') throw new Error('the run failed')
      return row!.status === 'succeeded' && live.events.length > before
    })
  },
  'MCP edit_canvas': () =>
    post(
      '/mcp',
      { ...byKey, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'edit_canvas', arguments: { project: projectId, ...edit() } },
      }),
    ),
}

const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

async function countCalls(): Promise<Map<string, number>> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const calls = new Map<string, number>()
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(SERVER)) continue
    const file = fileURLToPath(url).slice(SERVER.length)
    if (file.startsWith('testing/')) continue
    for (const { functionName, ranges } of functions)
      calls.set(`${file} ${functionName} ${ranges[0]!.startOffset}`, ranges[0]!.count)
  }
  return calls
}

for (const walk of Object.values(WALKS)) await walk()
await sleep(WINDOW_MS)
const background = new Map<string, number>()
for (let window = 0; window < IDLE_WINDOWS; window++) {
  await countCalls()
  await sleep(WINDOW_MS)
  for (const [name, count] of await countCalls())
    background.set(name, Math.max(background.get(name) ?? 0, count))
}

for (const [name, walk] of Object.entries(WALKS)) {
  await walk()
  await sleep(WINDOW_MS)
  await countCalls()
  const endsAt = performance.now() + WINDOW_MS
  for (let n = 0; n < REPEATS; n++) await walk()
  await sleep(Math.max(0, endsAt - performance.now()))
  const calls = await countCalls()
  const files = new Set<string>()
  for (const [key, count] of calls) {
    // A window with slow requests is longer than an idle one.
    const idle = background.get(key) ?? 0
    if (count - idle * 2 >= REPEATS) files.add(key.split(' ')[0]!)
  }
  const inFeatures = [...files].filter((file) => file.startsWith('features/')).length
  console.log(`${name.padEnd(52)} ${String(files.size).padStart(4)} files, ${inFeatures} in features`)
  if (process.argv.includes('--files'))
    console.log(
      [...files]
        .sort()
        .map((file) => `  ${file}`)
        .join('\n'),
    )
}

inspector.disconnect()
await live.disconnect()
await app.close()
await receiver.close()
await database.close()
process.exit(0)
