import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient, toRoutes } from '../../client/client.ts'
import { type Contract, contract } from '../../contract/index.ts'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import {
  type EmbeddingServer,
  startEmbeddingServer,
  usual,
} from '../../server/testing/fakes/embedding-server.ts'
import { createFleet, persist } from './server-processes.ts'

const KILLS = 4
/** Half a minute on a quiet machine. */
const WITHIN_MS = 600_000
/** Of one request. */
const BATCH = 64
const MEMORIES = 60
const CHANGES = 15
const ANSWER_MS = 150
const SETTLED_WITHIN_MS = 120_000
const MODEL = 'vectors/text-small'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let server: EmbeddingServer
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-kills-'))
  server = await startEmbeddingServer()
  server.respond((response, request) => void setTimeout(() => usual(response, request), ANSWER_MS))
  fleet = createFleet({
    sql,
    connection: database.connection,
    folder,
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  })
})
afterAll(async () => {
  await fleet.close()
  await server.close()
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A killed process's leases end by themselves after minutes. */
async function endLeases(): Promise<void> {
  await sql`update passage_sources set due_at = now() where due_at > now()`
  await sql`update passage_embedders set due_at = now() where due_at > now()`
}

/** As a restart of PostgreSQL does. */
const breakConnections = () => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'atrium %'`

test(
  'every passage has one vector, after killed processes and broken connections while passages are embedded',
  async () => {
    const { organization, person, session, project } = createFactories(sql, () => new Date())
    const owner = await person(await organization(), { role: 'owner' })
    const { id: projectId } = await project(owner)
    const { cookie } = await session(owner)
    const clientOf = (baseUrl: string): Client<Contract> =>
      createClient<Contract>(toRoutes(contract), { baseUrl, headers: () => ({ cookie }) })

    let live = await fleet.start()
    const client = clientOf(live.url)
    await client.modelProviders.create({
      ...{ kind: 'openai-compatible', name: 'Vectors', url: server.url, apiKey: 'sk-vectors-1234567' },
    })
    await client.modelSettings.put({ models: [MODEL], pricing: { input: 1, output: 0 }, contextWindow: null })
    await client.budgets.put({
      scope: 'org',
      id: owner.orgId,
      period: 'month',
      amount: '10',
      onReach: 'stop',
    })
    const ids: string[] = []
    for (let n = 0; n < MEMORIES; n++)
      ids.push(
        (await client.memory.create({ projectId, key: `key-${n}`, content: `One blue car, ${n}.` })).id,
      )
    await client.orgSettings.update({ embeddings: { model: MODEL } })

    for (let kill = 1; kill <= KILLS; kill++) {
      await sql`delete from rate_limits`
      const changed = ids.filter((_, index) => index % (MEMORIES / CHANGES) === kill % (MEMORIES / CHANGES))
      for (const id of changed)
        await persist(() => clientOf(live.url).memory.update({ id, content: `The wage of round ${kill}.` }))
      const asked = server.requests.length
      await expect.poll(() => server.requests.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(asked)
      if (kill % 2 === 0) await breakConnections()
      else {
        await live.kill()
        live = await fleet.start()
      }
      await persist(endLeases)
    }

    await expect
      .poll(() => readSettled(owner.orgId), { timeout: SETTLED_WITHIN_MS, interval: 500 })
      .toEqual({ passages: MEMORIES, single: MEMORIES, vectors: MEMORIES, queued: 0, waiting: 0, serving: 1 })
    const sent = server.requests.reduce((sum, { input }) => sum + input.length, 0)
    // An interruption repeats one batch.
    expect(sent).toBeLessThanOrEqual(MEMORIES + KILLS * (CHANGES + BATCH))
    // A killed call's reservation is released by its job.
    await sql`
      update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'embeddings.abandoned'`
    await expect
      .poll(() => sql`select from reservations where org_id = ${owner.orgId}`, { timeout: SETTLED_WITHIN_MS })
      .toHaveLength(0)
  },
  WITHIN_MS,
)

/** A claim whose connection broke may have been stored after its lease was ended. */
async function readSettled(orgId: string) {
  const row = await read(orgId)
  if (row!.queued === 0 && row!.waiting > 0) await persist(endLeases)
  return row
}

async function read(orgId: string) {
  const [row] = await sql`
    select (select count(*)::int from passages where org_id = ${orgId}) as passages,
      (select count(*)::int from (
        select from passage_vectors where org_id = ${orgId} group by source_id, ordinal having count(*) = 1) s) as single,
      (select count(*)::int from passage_vectors where org_id = ${orgId}) as vectors,
      (select count(*)::int from passage_embedding_queue where org_id = ${orgId}) as queued,
      (select count(*)::int from passage_sources where org_id = ${orgId} and due_at is not null) as waiting,
      (select count(*)::int from passage_embedders where org_id = ${orgId} and state = 'serving') as serving`
  return row
}
