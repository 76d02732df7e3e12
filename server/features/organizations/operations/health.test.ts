import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLastBackup } from '../../../backup/last-backup.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { operationSchedules } from './retention.ts'

let app: TestApp
let second: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>['client']
beforeAll(async () => {
  app = await buildTestApp()
  second = await buildTestApp({ on: app.connection, env: { ATRIUM_ROLE: 'api' } })
  operator = (await app.operator()).client
})
afterAll(async () => {
  await second.close()
  await app.close()
})

const readProblemCodes = async () => (await operator.operations.health()).problems.map(({ code }) => code)

describe('the last backup', () => {
  const start = Date.now()
  const record = (createdAt: Date, lackingObjects = 0) =>
    writeLastBackup(app.sql, {
      createdAt: createdAt.toISOString(),
      folder: '/backups/one',
      bytes: 7,
      lackingObjects,
    })
  const daysAgo = (days: number) => new Date(start - days * 86_400_000)
  const readBackup = async () => {
    const { backup, problems } = await operator.operations.health()
    const { health } = await operator.home.read()
    expect(health!.backup).toEqual(backup)
    return {
      ...backup,
      problems: problems.map(({ code }) => code).filter((code) => code.startsWith('backup')),
    }
  }
  const readMetric = async () =>
    /^atrium_last_backup_timestamp_seconds (.*)$/m.exec(
      await app.app.observability.http.metrics.registry.metrics(),
    )?.[1]

  test('is missed after two days without one, and shows in any process', async () => {
    await app.sql`update installation set created_at = ${daysAgo(1)}`
    expect(await readBackup()).toEqual({ last: null, isOverdue: false, problems: [] })
    await app.sql`update installation set created_at = ${daysAgo(3)}`
    expect(await readBackup()).toEqual({ last: null, isOverdue: true, problems: ['backup_overdue'] })
    expect(await readMetric()).toBeUndefined()

    await record(daysAgo(3))
    expect(await readBackup()).toMatchObject({ isOverdue: true, problems: ['backup_overdue'] })
    await record(daysAgo(1), 2)
    expect(await readBackup()).toMatchObject({
      last: { createdAt: daysAgo(1).toISOString(), folder: '/backups/one', bytes: 7, lackingObjects: 2 },
      isOverdue: false,
      problems: ['backup_incomplete'],
    })
    expect(Number(await readMetric())).toBe(daysAgo(1).getTime() / 1000)
    // An older one that ends later changes nothing.
    await record(daysAgo(2))
    expect((await readBackup()).last!.createdAt).toBe(daysAgo(1).toISOString())
  })
})

describe('GET /admin/health', () => {
  test('counts synced sources that sync, wait and fail, in all organizations', async () => {
    const ids: string[] = []
    for (let created = 0; created < 6; created++) {
      const { person } = await app.newUser({ role: 'owner' })
      const client = await app.withSession(person)
      const project = await app.project(person)
      const settings = { url: `https://site-${created}.example.com` }
      const input = {
        projectId: project.id,
        kind: 'website' as const,
        settings,
        confirmReaders: true as const,
      }
      ids.push((await client.sources.create(input)).id)
    }
    const later = new Date(app.clock.now().getTime() + 3600_000)
    const progress = app.sql.json({ syncId: ids[1]!, listing: null, cursor: null, found: 0 })
    await app.sql`update knowledge_sources set due_at = ${new Date(app.clock.now().getTime() - 1200_000)} where id = ${ids[0]!}`
    await app.sql`update knowledge_sources set progress = ${progress}, due_at = ${later} where id = ${ids[1]!}`
    await app.sql`update knowledge_sources set failures = 2, due_at = ${later} where id = ${ids[2]!}`
    await app.sql`update knowledge_sources set paused_reason = 'failing', due_at = null where id = ${ids[3]!}`
    await app.sql`update knowledge_sources set enabled = false, failures = 2, due_at = null where id = ${ids[4]!}`
    await app.sql`update knowledge_sources set due_at = ${later} where id = ${ids[5]!}`
    const health = await operator.operations.health()
    expect(health.sources).toEqual({ syncing: 1, waiting: 1, failing: 2 })
    const backlog = health.backlogs.find(({ queue }) => queue === 'sources')!
    expect(backlog.waiting).toBe(1)
    expect(Math.round(backlog.lagSeconds / 60)).toBe(20)
    expect(health.problems).toContainEqual({
      level: 'warning',
      code: 'sources_late',
      message: 'The oldest of the synced sources has waited for 20 minutes',
    })
    await app.sql`update knowledge_sources set due_at = null`
    expect((await operator.operations.health()).sources.waiting).toBe(0)
  })

  test('shows queues, lag and dead jobs by lane across all organizations', async () => {
    const { org, client } = await app.newUser({ role: 'owner' })
    await app.sql`delete from graphile_worker._private_jobs`
    await client.feedback.submit({ message: 'm' })
    await app.app.system().enqueue(operationSchedules[0]!.job, {})
    await app.sql`
      update graphile_worker._private_jobs set run_at = now() - interval '20 minutes',
        attempts = case when flags is null then max_attempts else 0 end, last_error = 'No disk'`
    const owner = await app.withSession((await app.newUser({ role: 'owner' })).person)
    const hook = await owner.webhooks.create({ name: 'Slow', url: 'https://example.com/', events: ['key.*'] })
    await owner.apiKeys.create({ name: 'Key' })
    const ago = new Date(app.clock.now().getTime() - 120_000)
    await app.sql`update deliveries set next_attempt_at = ${ago} where webhook_id = ${hook.id}`

    const health = await operator.operations.health()
    const laneOf = (name: string) => health.lanes.find(({ lane }) => lane === name)!
    expect(laneOf('default')).toMatchObject({ waiting: 1, dead: 0 })
    expect(Math.round(laneOf('default').lagSeconds / 60)).toBe(20)
    expect(laneOf('bulk')).toMatchObject({ waiting: 0, dead: 1, lagSeconds: 0 })
    expect(health.deadJobs).toMatchObject([{ task: 'operations.retention', lastError: 'No disk' }])
    const deliveries = health.backlogs.find(({ queue }) => queue === 'deliveries')!
    expect(deliveries.waiting).toBe(1)
    expect(Math.round(deliveries.lagSeconds)).toBe(120)
    expect(health).toMatchObject({ status: 'critical', jobs: { dead: 1, workers: 0 } })
    expect(health.problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['no_worker', 'jobs_late', 'dead_jobs', 'deliveries_late']),
    )
    const [worst] = health.problems
    expect(worst!.level).toBe('critical')
    expect(health.organizations.find(({ id }) => id === org.id)).toMatchObject({ jobs: 1 })

    await operator.operations.retryJob({ id: health.deadJobs[0]!.id })
    expect(await readProblemCodes()).not.toContain('dead_jobs')
  })

  test('sums counters across processes, including a killed one', async () => {
    const { client, org } = await second.newUser()
    for (let n = 0; n < 30; n++) await client.projects.list({})
    await app.app.observability.startHeartbeat()
    await second.app.observability.startHeartbeat()
    // One that was killed and started again is not two, until both have reported since.
    const before = await operator.operations.health()
    expect(before.problems.map(({ code }) => code)).not.toContain('public_url_missing')
    await app.sql`update server_processes set seen_at = now()`
    const health = await operator.operations.health()
    expect(health.processes.map(({ role, isAlive, isCurrent }) => [role, isAlive, isCurrent])).toEqual([
      ['all', true, true],
      ['api', true, false],
    ])
    expect(health.processes[1]).toMatchObject({ pid: process.pid, requests: expect.any(Number) })
    // Neither process has ATRIUM_PUBLIC_URL.
    expect(health.problems.map(({ code }) => code)).toContain('public_url_missing')
    const requests = health.outcomes.find(({ name }) => name === 'requests')!
    expect(requests.total).toBe(health.processes[0]!.requests + health.processes[1]!.requests)
    expect(health.processes[1]!.requests).toBeGreaterThanOrEqual(30)
    expect(health.organizations.find(({ id }) => id === org.id)).toMatchObject({ requests: 30 })

    await app.sql`
      update server_processes set seen_at = now() - interval '1 minute', version = '0.0.1',
        figures = jsonb_set(figures, '{outcomes,requests}', '{"total": 1000, "failed": 1000}') where role = 'api'`
    const later = await operator.operations.health()
    // A process that was killed no longer counts.
    expect(later.outcomes.find(({ name }) => name === 'requests')!.failed).toBe(0)
    expect(later.problems.map(({ code }) => code)).toContain('process_lost')

    await app.sql`update server_processes set seen_at = now() where role = 'api'`
    expect(await readProblemCodes()).toEqual(expect.arrayContaining(['requests_failing', 'versions_differ']))
  })

  test('shows the database, its largest tables and its slow statements without values', async () => {
    const { database, storage, disk, objects } = await operator.operations.health()
    expect(database.bytes).toBeGreaterThan(1_000_000)
    expect(database.connections).toBeGreaterThan(0)
    expect(database.tables).toHaveLength(10)
    expect(storage.available).toBe(true)
    expect(disk!.totalBytes).toBeGreaterThan(disk!.freeBytes)
    expect(objects).toEqual({ files: expect.any(Number), bytes: expect.any(Number) })

    const sleeping = app.sql`select pg_sleep(60), ${'a value'}::text`.execute()
    sleeping.catch(() => {})
    const findSleeping = async () => {
      const { source, items } = (await operator.operations.health()).database.statements
      expect(source).toBe('pg_stat_activity')
      return items.filter(({ query }) => query.includes('pg_sleep') && !query.includes('pg_stat_activity'))
    }
    await expect.poll(findSleeping, { timeout: 10_000 }).toHaveLength(1)
    const [statement] = await findSleeping()
    expect(statement!.query).toBe('select pg_sleep(60), $1::text')
    expect(statement!.meanMs).toBeGreaterThan(1000)
    await app.sql`select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
  })
})
