import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient, toRoutes } from '../../client/client.ts'
import { type Contract, contract } from '../../contract/index.ts'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type SyncService, startSyncService } from '../../server/testing/fakes/sync-services.ts'
import { createFleet, persist } from './server-processes.ts'

const KILLS = 6
const WITHIN_MS = 600_000
const DOCUMENTS = 40
const CHANGES = 12
const ANSWER_MS = 8
const ALIVE_MS_MAX = 500
const POLL_MS = 100
const POLLS_MAX = 600

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let service: SyncService
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-kills-'))
  service = await startSyncService('website')
  service.slowDown(ANSWER_MS)
  fleet = createFleet({
    sql,
    connection: database.connection,
    folder,
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  })
})
afterAll(async () => {
  await fleet.close()
  await service.close()
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The same numbers in every run. */
function createDice(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test(
  'a source contains every document once, after kills at any moment of its syncs',
  async () => {
    const dice = createDice(7)
    const { organization, person, key, project } = createFactories(sql, () => new Date())
    const owner = await person(await organization(), { role: 'owner' })
    const { id: projectId } = await project(owner)
    const { key: secret } = await key(owner, ['files:write'])
    const clientOf = (baseUrl: string): Client<Contract> =>
      createClient<Contract>(toRoutes(contract), {
        baseUrl,
        headers: () => ({ authorization: `Bearer ${secret}` }),
      })
    for (let n = 0; n < DOCUMENTS; n++) service.write(`folder-${n % 4}/${n}.txt`, `Text ${n}`)

    let live = await fleet.start()
    const created = await clientOf(live.url).sources.create({
      projectId,
      kind: 'website',
      settings: { url: service.url },
      name: 'Handbook',
      confirmReaders: true,
    })
    const { id, folderId } = created
    for (let kill = 1; kill <= KILLS; kill++) {
      await sleep(dice(ALIVE_MS_MAX))
      // The next process may have to take over from one that still holds the lease.
      const overlaps = dice(2) === 0
      const next = overlaps ? await fleet.start() : null
      await live.kill()
      if (next) await sql`update knowledge_sources set due_at = now()`
      changeSome(dice, kill)
      live = next ?? (await fleet.start())
      await persist(() => clientOf(live.url).sources.sync({ id }))
    }
    service.slowDown(0)
    await untilQuiet(clientOf(live.url), id)

    expect(await readFolder(clientOf(live.url), folderId)).toEqual(Object.entries(service.contents()))
    const [doubled] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select file_id from source_items where file_id is not null group by file_id having count(*) > 1) d`
    expect(doubled).toEqual({ count: 0 })
    const [repeated] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select v.sha256, lag(v.sha256) over (partition by v.file_id order by v.number) as former from file_versions v) d
    where sha256 = former`
    expect(repeated).toEqual({ count: 0 })
  },
  WITHIN_MS,
)

function changeSome(dice: (below: number) => number, round: number): void {
  for (let n = 0; n < CHANGES; n++) {
    const paths = Object.keys(service.contents())
    const path = paths[dice(paths.length)]!
    const kind = dice(10)
    if (kind < 6) service.write(path, `Text in round ${round}, ${n}`)
    else if (kind < 8)
      service.write(`folder-${dice(5)}/round-${round}-${n}.txt`, `New in round ${round}, ${n}`)
    else if (paths.length > DOCUMENTS / 2) service.remove(path)
  }
}

async function untilQuiet(client: Client<Contract>, id: string): Promise<void> {
  await client.sources.update({ id, enabled: true })
  await client.sources.sync({ id })
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const { state, nextSyncAt, lastSyncedAt } = await client.sources.get({ id })
    const isQuiet = state === 'waiting' && nextSyncAt! > new Date().toISOString()
    if (isQuiet && lastSyncedAt !== null) return
    await sleep(POLL_MS)
  }
  throw new Error(`The source is not quiet: ${JSON.stringify(await client.sources.get({ id }))}`)
}

/** Path and text of every file, with doubles. */
async function readFolder(
  client: Client<Contract>,
  folderId: string,
  above = '',
): Promise<[string, string][]> {
  const found: [string, string][] = []
  let cursor: string | undefined
  do {
    const page = await client.files.list({ parentId: folderId, limit: 100, cursor })
    for (const { id, name, source } of page.items) {
      if (source === 'folder') found.push(...(await readFolder(client, id, `${above}${name}/`)))
      else found.push([above + name, (await client.fileTexts.read({ id, offset: 0, limit: 1000 })).text])
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
