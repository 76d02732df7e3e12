import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { POOLS } from '../server/database/database.ts'
import { newId } from '../server/security/ids.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import { cookie, type Headers } from '../server/testing/test-app.ts'
import { bodyOf, createResources, type Ids, pathOf, RESOURCES } from './resources.ts'

/** Sends every change twice as often in parallel as there are connections, from one organization. */

const CALLS = 2 * POOLS.requests.connections
const READS = 3
/** A refusal, and the failure of another server. */
const EXPECTED = ['UNAVAILABLE', 'PROVIDER_ERROR']

let app: WebhookApp
let owner: Actor
let other: Actor
let ids: Ids
/** Refuses every request, as a server that does not know the caller. */
const outside = createServer((_request, response) => response.writeHead(404).end('{}'))

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  app = await buildWebhookApp()
  owner = await createActor(app)
  other = await createActor(app)
  await other.project()
  ids = (await createResources(app, owner)).ids
})
afterAll(async () => {
  await app.close()
  outside.close()
})

/** Records are removed last, and their parts before them. */
const rank = ({ method, path }: Endpoint) =>
  (method === 'DELETE' ? 100 : 0) +
  (/organization|account|erasure|members/.test(path) ? 50 : 0) -
  path.split('/').length

const writes = endpoints
  .filter(({ method }) => method !== 'GET')
  .toSorted((one, two) => rank(one) - rank(two))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

/** No request leaves this machine. */
const withLocalUrls = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(/"https?:\/\/[^"]*"/g, JSON.stringify(outsideUrl())))

const outsideUrl = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`

function targetOf(endpoint: Endpoint): string {
  if (!endpoint.path.includes(':')) return endpoint.path
  const idName = RESOURCES.findLast(([pattern]) => pattern.test(endpoint.path))?.[1]
  const [first] = endpoint.path.match(/:\w+/)!
  return pathOf(endpoint, ids, ids[idName ?? first.slice(1)] ?? newId())
}

async function change(endpoint: Endpoint, headers: Headers, n: number) {
  const key: Headers = endpoint.idempotent && n % 2 === 0 ? { 'idempotency-key': newId() } : {}
  const body = withLocalUrls(bodyOf(endpoint))
  const { status, body: answer } = await app.request(endpoint.method, targetOf(endpoint), {
    headers: { ...headers, ...key },
    body: endpoint.raw ? 'bytes' : body,
  })
  return { status, error: answer?.error }
}

describe(`${CALLS} concurrent calls`, () => {
  test.each(writes)('are all answered for %s and delay no other organization', async (_, endpoint) => {
    await app.sql`delete from rate_limits`
    const headers = cookie(await app.session(owner.person))
    const changes = Promise.all(Array.from({ length: CALLS }, (_, n) => change(endpoint, headers, n)))
    for (let n = 0; n < READS; n++) expect((await other.client.projects.list({})).items).toHaveLength(1)
    const answers = await changes
    const failed = answers.filter(({ status, error }) => status >= 500 && !EXPECTED.includes(error?.code))
    expect(failed).toEqual([])
  })
})

describe(`${CALLS} concurrent calls change something once`, () => {
  /** The calls above have removed the others. */
  let actor: Actor
  beforeAll(async () => {
    actor = await createActor(app)
  })
  beforeEach(async () => void (await app.sql`delete from rate_limits`))

  async function inParallel<T>(call: (n: number) => Promise<T>) {
    const results = await Promise.allSettled(Array.from({ length: CALLS }, (_, n) => call(n)))
    return {
      done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
      codes: results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : [])),
    }
  }

  const refusals = Array(CALLS - 1).fill('CONFLICT')

  /** Without a worker, runs end only here. */
  const end = (runId: string) => app.sql`
    with ended as (
      update runs set status = 'failed', due_at = null, finished_at = now() where id = ${runId} returning session_id
    )
    update agent_sessions set active_run_id = null where id in (select session_id from ended)`

  async function startList(options: { preview?: number } = {}) {
    const { id: projectId } = await actor.project()
    const { id: agentId } = await actor.client.agents.create({ name: 'Each', model: 'test/script' })
    const start = (idempotencyKey = newId()) =>
      actor.client.forEach.start(
        { projectId, agentId, instructions: 'x', over: { from: 'values', values: [1, 2, 3] }, ...options },
        { idempotencyKey },
      )
    return { projectId, agentId, start }
  }

  const countRuns = async (projectId: string) =>
    (await app.sql`select from runs where project_id = ${projectId}`).length

  test('a run for each item with the same key', async () => {
    const { projectId, start } = await startList()
    const key = newId()
    const { done, codes } = await inParallel(() => start(key))
    // As long as the first one is in progress.
    expect(codes.filter((code) => code !== 'CONFLICT')).toEqual([])
    expect(new Set(done.map(({ run }) => run.id)).size).toBe(1)
    expect(await countRuns(projectId)).toBe(1)
  })

  test('a retry of a list, and of a chat', async () => {
    const { projectId, agentId, start } = await startList()
    const { run } = await start()
    await end(run.id)
    const lists = await inParallel(() => actor.client.agentRuns.retry({ id: run.id }))
    expect([lists.done.length, lists.codes]).toEqual([1, refusals])
    await end(lists.done[0]!.id)
    const session = await actor.client.sessions.create({ projectId, agentId, message: { content: 'Hello' } })
    await end(session.run!.id)
    const chats = await inParallel(() => actor.client.agentRuns.retry({ id: session.run!.id }))
    expect([chats.done.length, chats.codes]).toEqual([1, refusals])
    expect(await countRuns(projectId)).toBe(4)
  })

  test('the end of a preview', async () => {
    const { start } = await startList({ preview: 1 })
    const { run } = await start()
    await app.sql`
      insert into item_lists (org_id, id, run_id, block_id, preview, is_data, created_at)
      select org_id, ${newId()}, run_id, block_id, 1, false, now() from workflow_blocks where run_id = ${run.id}`
    const { done, codes } = await inParallel(() => actor.client.forEach.continue({ id: run.id }))
    expect([done.length, codes]).toEqual([1, refusals])
  })

  test('the answer of a form', async () => {
    const formId = newId()
    const { projectId, start } = await startList()
    const { run } = await start()
    await app.sql`
      insert into form_requests (org_id, id, project_id, run_id, block_id, title, fields, people, expires_at, created_at)
      values (${actor.org.id}, ${formId}, ${projectId}, ${run.id}, ${newId()}, 'Approve',
        '[{"key": "amount", "label": "Amount", "type": "number", "required": true}]', '{}', now() + interval '1 day', now())`
    const { done, codes } = await inParallel((n) =>
      actor.client.forms.answer({ id: formId, answer: { amount: n } }),
    )
    expect([done.length, codes]).toEqual([1, refusals])
    const [form] = await app.sql`select answer from form_requests where id = ${formId}`
    expect(form).toEqual({ answer: done[0]!.answer })
  })

  test('rows with one key, and undo of a change', async () => {
    const { id: projectId } = await actor.project()
    const { id } = await actor.client.tables.create({
      projectId,
      name: 'People',
      columns: [{ name: 'Name' }, { name: 'Count', type: 'number' }],
      key: 'name',
    })
    const added = await inParallel((n) =>
      actor.client.tables.upsert({ id, rows: [{ values: { name: 'Ada', count: n } }] }),
    )
    expect(added.codes).toEqual([])
    const { items: rows } = await actor.client.tables.rows({ id })
    expect(rows).toMatchObject([{ values: { name: 'Ada' } }])
    const { items: changes } = await actor.client.tables.changes({ id })
    expect(changes.filter(({ kind }) => kind === 'rows')).toHaveLength(added.done.length)
    const last = Math.max(...changes.map(({ seq }) => seq))
    const undone = await inParallel(() => actor.client.tables.undo({ id, seq: last }))
    expect([undone.done.length, undone.codes]).toEqual([1, refusals])
  })
})
