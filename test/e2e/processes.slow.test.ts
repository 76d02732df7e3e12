import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { cloneDatabase, socketUrl } from '../../server/testing/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { problemsOf } from '../kills/check-run.ts'
import { followRun } from '../kills/follow-run.ts'
import { PRICES } from '../kills/scripted-runs.ts'
import { expireLeases, startRun } from '../kills/start-runs.ts'
import { type AtriumProcess, databasePid, isAlive, startAtrium } from './atrium-process.ts'

const PROCESSES = 3
const PROJECTS_MAX = 12
const STEPS = 4

interface Line {
  pid: number
  msg: string
  child?: number
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-processes-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Also shows that processes never write into each other's lines. */
const linesOf = (atrium: AtriumProcess): Line[] =>
  atrium
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** In the order in which they started, those that ended included. */
const startedPids = (atrium: AtriumProcess) =>
  linesOf(atrium).flatMap(({ child, msg }) => (msg === 'a process is ready' ? [child!] : []))

const livePids = (atrium: AtriumProcess) => startedPids(atrium).filter(isAlive)

/** Each on a connection of its own, and so on any process. */
const request = (url: string, key: string, method = 'GET', body?: object) =>
  fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('several processes', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let sql: Pool
  let atrium: AtriumProcess

  beforeAll(async () => {
    database = await cloneDatabase()
    sql = openDatabase(database.connection, 'test')
    atrium = await startAtrium({
      dataFolder: join(folder, 'shared'),
      env: {
        DATABASE_URL: socketUrl(database.connection),
        ATRIUM_PROCESSES: String(PROCESSES),
        ATRIUM_QUOTA_PROJECTS: String(PROJECTS_MAX),
        ATRIUM_OLLAMA_URL: 'off',
        ATRIUM_MODEL_PRICES: PRICES,
      },
    })
    if (!atrium.url) throw new Error(atrium.output())
  })
  afterAll(async () => {
    await atrium.stop()
    await sql.end()
    await database.drop()
  })

  async function createMember() {
    const { organization, person, key, project } = createFactories(sql, () => new Date())
    const owner = await person(await organization(), { role: 'owner' })
    const { key: secret } = await key(owner, ['files:write'])
    return { orgId: owner.orgId, key: secret, projectId: (await project(owner)).id }
  }

  const url = (path: string) => `${atrium.url}/api/v1${path}`

  test('share the port, the rate limits and the quotas', async () => {
    const { key } = await createMember()
    const reads = await Promise.all(Array.from({ length: 30 }, () => request(url('/projects'), key)))
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
    const servers = () =>
      new Set(linesOf(atrium).flatMap(({ pid, msg }) => (msg === 'GET /api/v1/projects' ? [pid] : [])))
    await expect.poll(() => servers().size).toBe(PROCESSES)

    const feedback = Array.from({ length: 30 }, (_, n) =>
      request(url('/feedback'), key, 'POST', { message: `Message ${n}` }),
    )
    const accepted = (await Promise.all(feedback)).filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(10)

    const projects = Array.from({ length: 30 }, (_, n) =>
      request(url('/projects'), key, 'POST', { name: `Project ${n}` }),
    )
    const created = (await Promise.all(projects)).filter(({ status }) => status === 201)
    // One exists already.
    expect(created).toHaveLength(PROJECTS_MAX - 1)
  })

  test('count as one server in metrics and warnings', async () => {
    const { key } = await createMember()
    const count = async () => {
      const text = await (await fetch(`${atrium.url}/metrics`)).text()
      const line =
        /^atrium_http_request_duration_seconds_count{method="GET",route="\/api\/v1\/feedback".*} (\d+)$/m.exec(
          text,
        )
      expect(text).toContain(`atrium_processes{role="all"} ${PROCESSES}\n`)
      return Number(line?.[1])
    }
    await request(url('/feedback'), key)
    const before = await count()
    await Promise.all(Array.from({ length: 9 }, () => request(url('/feedback'), key)))
    expect(await count()).toBe(before + 9)
    expect(linesOf(atrium).filter(({ msg }) => msg.startsWith('several processes run'))).toEqual([])
  })

  test('stream a run to readers of every process', async () => {
    const run = await startRun(sql, atrium.url, { name: 'Run 1', steps: STEPS, model: 'test/script' })
    const readers = Array.from({ length: 6 }, () =>
      followRun({ runId: run.id, key: run.key, url: () => atrium.url }),
    )
    await Promise.all(readers.map(({ finished }) => finished))
    for (const { events, problems } of readers) {
      expect(problems).toEqual([])
      expect(await problemsOf(sql, { ...run, seen: events, journal: null })).toEqual([])
    }
    const path = `GET /api/v1/runs/${run.id}/stream`
    const servers = () => new Set(linesOf(atrium).flatMap(({ pid, msg }) => (msg === path ? [pid] : [])))
    await expect.poll(() => servers().size).toBe(PROCESSES)
  })

  test('continue while one is killed, and lose nothing that was accepted', async () => {
    const { orgId, key, projectId } = await createMember()
    const accepted: string[] = []
    let isOver = false
    const write = async (client: number) => {
      for (let n = 0; !isOver; n++) {
        const block = { type: 'note', title: `${client}.${n}` }
        const response = await request(url(`/projects/${projectId}/blocks`), key, 'POST', block).catch(
          () => null,
        )
        if (response?.status === 201) accepted.push((await response.json()).id)
        else await sleep(20)
      }
    }
    const writers = Array.from({ length: 4 }, (_, client) => write(client))
    const runs = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        startRun(sql, atrium.url, { name: `Killed ${n}`, steps: STEPS, model: 'test/script' }),
      ),
    )
    const readers = runs.map(({ id, key }) => followRun({ runId: id, key, url: () => atrium.url }))

    const [killed, ...others] = livePids(atrium)
    process.kill(killed!, 'SIGKILL')
    const acceptedBefore = accepted.length
    await expect.poll(() => accepted.length).toBeGreaterThan(acceptedBefore)
    expect(others.every(isAlive)).toBe(true)
    await expect.poll(() => livePids(atrium).length).toBe(PROCESSES)
    isOver = true
    await Promise.all(writers)
    const stored = await sql<{ id: string }[]>`
      select id from blocks where org_id = ${orgId} and project_id = ${projectId}`
    const ids = new Set(stored.map(({ id }) => id))
    expect(accepted.filter((id) => !ids.has(id))).toEqual([])

    let isRunning = true
    const ended = Promise.all(readers.map(({ finished }) => finished)).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      await expireLeases(sql, 3000)
      await Promise.race([ended, sleep(500)])
    }
    for (const [index, run] of runs.entries())
      expect(await problemsOf(sql, { ...run, seen: readers[index]!.events, journal: null })).toEqual([])
  })

  test('restart one after the other without a failed request', async () => {
    const { key, projectId } = await createMember()
    const before = livePids(atrium)
    const failures: unknown[] = []
    let isOver = false
    let ends = 0
    const note = async (sending: Promise<Response>) => {
      const response = await sending.catch((error) => void failures.push(error.cause ?? error))
      if (response && response.status >= 300) failures.push(response.status)
      await response?.text()
    }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ type: 'note', title: 'Written during a restart' })
    const create = { method: 'POST', headers, body }
    const loops: (() => Promise<void>)[] = [
      () => note(request(url('/projects'), key)),
      () => note(fetch(url('/projects'), { headers })),
      () => note(fetch(url(`/projects/${projectId}/blocks`), create)),
      // Idle for longer than a busy client, on a connection that it keeps.
      () => note(fetch(url('/feedback'), { headers })).then(() => sleep(700)),
      async () => {
        const response = await fetch(url(`/projects/${projectId}/live`), { headers })
        if (!response.ok) failures.push(response.status)
        await response.text().catch((error) => failures.push(error))
        ends++
      },
    ]
    const clients = loops.map(async (send) => {
      while (!isOver) await send().then(() => sleep(25))
    })
    process.kill(atrium.pid, 'SIGUSR2')
    await expect
      .poll(() => linesOf(atrium).some(({ msg }) => msg === 'every process was restarted'), {
        timeout: 100_000,
      })
      .toBe(true)
    isOver = true
    const live = livePids(atrium)
    expect(live).toHaveLength(PROCESSES)
    expect(live.filter((pid) => before.includes(pid))).toEqual([])
    expect(ends).toBeGreaterThan(0)
    // The last one is an open stream, which ends with the server.
    await Promise.all(clients.slice(0, -1))
    await atrium.stop()
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect((await atrium.ended)[0]).toBe(0)
    expect(livePids(atrium)).toEqual([])
  })
})

describe('the main process', () => {
  test('takes its processes and its database with it when it is killed', async () => {
    const dataFolder = join(folder, 'embedded')
    const atrium = await startAtrium({
      dataFolder,
      env: { ATRIUM_PROCESSES: '2', ATRIUM_OLLAMA_URL: 'off' },
    })
    const database = await databasePid(dataFolder)
    // Their lines may come after the banner.
    await expect.poll(() => startedPids(atrium).length).toBe(2)
    const children = startedPids(atrium)
    await atrium.kill()
    await expect.poll(() => [...children, database].filter(isAlive)).toEqual([])
  })
})
