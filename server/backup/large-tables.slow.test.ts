import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { addTimePartitions } from '../database/time-partitions.ts'
import { newId } from '../security/ids.ts'
import { cloneDatabase, socketUrl } from '../testing/database.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { backup } from './backup.ts'
import { createProgress } from './progress.ts'
import { restore } from './restore.ts'
import { digestTables, withSession } from './testing.ts'

const SECRET = 'a secret for tests, long enough to be one'
const MB = 1_000_000
const DAY_MS = 86_400_000
/** Half of the largest table: a copy that ignored back-pressure would need all of it. */
const MEMORY_GROWTH_MAX = 20 * MB
const MEASURED_EVERY = 8 * MB
/** On a busy machine, each restore takes a minute. */
const TIMEOUT = { timeout: 600_000 }

let app: TestApp
let folder: string

/** Text that gzip hardly shortens, so that the disk is slower than the database. */
const noise = (length: number) => randomBytes(length / 2).toString('hex')

beforeAll(async () => {
  app = await buildTestApp()
  folder = await mkdtemp(join(tmpdir(), 'atrium-large-'))
  const { client, org } = await app.newUser({ role: 'owner' })
  const project = await client.projects.create({ name: 'Launch' })
  await addTimePartitions(app.sql, new Date(Date.now() + 30 * DAY_MS))
  const now = new Date().toISOString()
  const insert = (target: string, rows: number, row: (n: number) => (string | number)[]) =>
    withSession(app.connection, async ({ copyFrom }) => {
      const lines = Array.from({ length: rows }, (_, n) => n)
      const toLine = (n: number) => `${row(n).join('\t')}\n`
      await pipeline(Readable.from(lines.values().map(toLine)), copyFrom(target))
    })
  // 41 MB.
  const mail = (n: string, body: string) => [n, 'a@example.com', 'A \\t tab, a \\\\ and a line\\n', body, now]
  const mails = 'mails (id, recipient, subject, body, created_at)'
  await insert(mails, 90_000, (n) => mail(`m${n}`, noise(460)))
  await insert(mails, 2, (n) => mail(`wide${n}`, noise(2 * MB)))
  await insert(
    'canvas_changes (org_id, project_id, seq, entity, item_id, action, after, created_at)',
    10_000,
    (n) => {
      const after = `{"text": "${noise(600)}", "é": "日本 🎉"}`
      return [org.id, project.id, 1000 + n, 'block', newId(), 'updated', after, now]
    },
  )
  // In all partitions: an id begins with its time.
  const idAt = (ms: number) =>
    ms
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-') + newId().slice(13)
  await insert('events (org_id, id, direction, type, source, status, received_at, body)', 10_000, (n) => {
    const id = idAt(Date.now() + (n % 40) * DAY_MS)
    return [org.id, id, 'inbound', 'large', 'test', 'received', now, `\\\\x00ff5c0a${noise(800)}`]
  })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, maxRetries: 20 })
})

/** Commits one row each in an early and a late table until `stop`. */
function startWriting() {
  let isStopped = false
  const write = async () => {
    for (let n = 0; !isStopped; n++) {
      await app.sql.begin(async (sql) => {
        await sql`insert into audit (org_id, id, via, action, created_at)
          select id, gen_random_uuid(), 'system', 'load', now() from organizations limit 1`
        await sql`insert into mails (id, recipient, subject, created_at)
          values (${`load${n}`}, 'load', 'Load', now())`
      })
    }
  }
  const written = write()
  return async () => {
    isStopped = true
    await written
  }
}

const removeWritten = (connection: Connection) =>
  withSession(connection, async ({ query }) => {
    const [audits] = await query<{ n: number }>("select count(*)::int as n from audit where action = 'load'")
    const [mails] = await query<{ n: number }>(
      "select count(*)::int as n from mails where recipient = 'load'",
    )
    await query("delete from audit where action = 'load'")
    await query("delete from mails where recipient = 'load'")
    return [audits!.n, mails!.n]
  })

test(
  'a large-table backup finishes during writes, restores every row, and needs little memory',
  TIMEOUT,
  async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const memory = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = memory()
    let peak = before
    let unmeasured = 0
    const { begin, end, addItem, addBytes } = createProgress({ write: () => {} })
    const measured = {
      ...{ begin, end, addItem },
      addBytes(count: number) {
        addBytes(count)
        unmeasured += count
        if (unmeasured < MEASURED_EVERY) return
        unmeasured = 0
        peak = Math.max(peak, memory())
      },
    }
    const options = { progress: measured, signal: new AbortController().signal }
    const stopWriting = startWriting()
    const source = {
      ATRIUM_SECRET: SECRET,
      DATABASE_URL: socketUrl(app.connection),
      ATRIUM_DATA: app.dataFolder,
    }
    const target = join(folder, 'backup')
    const { manifest } = await backup({ config: readConfig(source), target, ...options })
    await stopWriting()
    expect(manifest.tables.find(({ name }) => name === 'mails')!.rows).toBeGreaterThan(90_000)

    const external = await cloneDatabase('template0')
    const restored = {
      ...source,
      DATABASE_URL: socketUrl(external.connection),
      ATRIUM_DATA: join(folder, 'external'),
    }
    await restore({ config: readConfig(restored), source: target, acceptsNewSecret: false, ...options })
    expect(peak - before).toBeLessThan(MEMORY_GROWTH_MAX)
    // One snapshot has both rows of a transaction, or none.
    const [audits, mails] = await removeWritten(external.connection)
    expect(audits).toBe(mails)
    await removeWritten(app.connection)
    const digests = await digestTables(app.connection)
    expect(await digestTables(external.connection)).toEqual({ ...digests, 'public.last_backup': '0 ' })
    await external.drop()
  },
)

test(
  'an embedded database is restored, backed up while its server is stopped, and restored again',
  TIMEOUT,
  async () => {
    const options = { progress: createProgress({ write: () => {} }), signal: new AbortController().signal }
    const configOf = (name: string) => readConfig({ ATRIUM_SECRET: SECRET, ATRIUM_DATA: join(folder, name) })
    const restoreFrom = (source: string, name: string) =>
      restore({ config: configOf(name), source: join(folder, source), acceptsNewSecret: false, ...options })
    await restoreFrom('backup', 'first')
    await backup({ config: configOf('first'), target: join(folder, 'second-backup'), ...options })
    await restoreFrom('second-backup', 'second')
    const digests: Record<string, string>[] = []
    for (const name of ['first', 'second']) {
      const server = await startEmbedded(join(folder, name))
      digests.push({ ...(await digestTables(server.connection)), 'public.last_backup': '' })
      await server.stop()
    }
    expect(digests[1]).toEqual(digests[0])
    expect(digests[0]!['public.mails']).toMatch(/^9\d{4} /)
  },
)
