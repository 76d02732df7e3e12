import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { startCarrier } from '../../server/testing/carrier/carrier.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { startS3Server } from '../../server/testing/fakes/s3-server.ts'
import { startQuestions } from '../kills/answers.ts'
import { findViolations, repeatedDeliveries } from './checks.ts'
import { standbyReadsOf, startLists } from './lists.ts'
import { startLoad } from './load.ts'
import { checkPooler } from './pooler.ts'
import { startPostgresPair } from './postgres-pair.ts'
import { freePorts, requirePrograms, startHaproxy } from './proxies.ts'
import { startRuns } from './runs.ts'
import { createServers } from './servers.ts'
import { compareProcesses, type ThroughputResult } from './throughput.ts'
import { until } from './until.ts'
import { createWorld, type World } from './world.ts'

/**
 * `npm run proof:cluster`: two api and two worker processes behind HAProxy, a PostgreSQL primary with a synchronous
 * standby, a bucket; the standby runs lists. Under load, one of each is killed, connections end, PostgreSQL restarts, the
 * bucket hangs, and the standby is promoted. Exits with code 1 if a guarantee was violated, an answer was wrong or the time
 * limit was reached.
 */
const LIMIT_S = 780
/** Load before the first kill, and after each recovery. */
const PHASE_MS = 12_000
/** A text message that a killed worker was sending waits three minutes for the end of its lease. */
const DRAIN_S = 240
/** Longer than any deadline for a call without content, so that callers see refusals and not only delays. */
const BUCKET_HANGS_MS = 15_000
const EXAMPLES = 5
const OUTPUT_SHOWN = 8000

const NAMES = { upload: 'files', block: 'blocks', event: 'received events', sms: 'text messages' }

type Cluster = Awaited<ReturnType<typeof startCluster>>

const programs = requirePrograms('haproxy', 'pgbouncer')
const problems: string[] = []
const table: [name: string, value: string][] = []
/** Functions that end the parts of the proof, in the order of their start. */
const stops: (() => Promise<unknown>)[] = []
const deadline = sleep(LIMIT_S * 1000, undefined, { ref: false }).then(() => {
  throw new Error(`The proof did not end within ${LIMIT_S} s`)
})
const interruption = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
  throw new Error('Interrupted')
})
await Promise.race([runProof(), deadline, interruption]).catch((error: Error) => {
  problems.push(`The proof could not be completed: ${error.stack}, ${inspect(error.cause)}`)
})
for (const stop of stops.toReversed()) await stop()
table.push(['violated guarantees', `${problems.length}`])
const width = Math.max(...table.map(([name]) => name.length))
console.log(`\n${table.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}`)
for (const problem of examplesOf(problems)) console.log(problem)
process.exit(problems.length > 0 ? 1 : 0)

/** Starts all parts, and adds the functions that end them to `stops`. */
async function startCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const ports = await freePorts('http', 'api1', 'api2', 'postgres', 'primary', 'standby', 'pgbouncer')
  const pair = await startPostgresPair(folder, ports)
  stops.push(() => pair.stop())
  logProgress('PostgreSQL runs, with a synchronous standby')
  const haproxy = await startHaproxy(programs.haproxy, folder, ports)
  stops.push(haproxy.stop)
  await until('HAProxy has found the primary', async () => (await haproxy.serversUp('postgres')).length === 1)
  const [bucket, carrier, receiver] = await Promise.all([startS3Server(), startCarrier(), startReceiver()])
  stops.push(
    () => bucket.close(),
    () => carrier.close(),
    () => receiver.close(),
  )

  const url = `http://127.0.0.1:${ports.http}`
  const databaseUrl = `postgres://${pair.user}@127.0.0.1:${ports.postgres}/${pair.user}`
  const readUrl = `postgres://${pair.user}@127.0.0.1:${ports.standby}/${pair.user}`
  const servers = createServers(folder, {
    ...bucket.env,
    ATRIUM_PUBLIC_URL: url,
    DATABASE_URL: databaseUrl,
    ATRIUM_CONNECTOR_TWILIO_URL: carrier.url,
    ATRIUM_TWILIO_ACCOUNT_SID: carrier.account.sid,
    ATRIUM_TWILIO_AUTH_TOKEN: carrier.account.token,
  })
  stops.push(() => servers.stop())
  const roles = {
    api1: { ATRIUM_ROLE: 'api', PORT: `${ports.api1}`, DATABASE_READ_URL: readUrl },
    api2: { ATRIUM_ROLE: 'api', PORT: `${ports.api2}`, DATABASE_READ_URL: readUrl },
    worker1: { ATRIUM_ROLE: 'worker' },
    worker2: { ATRIUM_ROLE: 'worker' },
  }
  const start = (name: keyof typeof roles) => servers.start(name, roles[name])
  const waitForApis = (count: number) =>
    until(`${count} api processes are up`, async () => (await haproxy.serversUp('api')).length === count)
  // The first process applies the migrations.
  for (const name of Object.keys(roles) as (keyof typeof roles)[]) await start(name)
  await waitForApis(2)
  logProgress('two api and two worker processes run')
  return {
    folder,
    ports,
    pair,
    haproxy,
    bucket,
    carrier,
    receiver,
    url,
    databaseUrl,
    servers,
    start,
    waitForApis,
  }
}

async function runProof(): Promise<void> {
  const cluster = await startCluster()
  const { ports, pair, bucket, carrier, receiver, url, databaseUrl, servers, start, waitForApis } = cluster
  const sql = openDatabase(databaseUrl, 'proof')
  stops.push(() => sql.end({ timeout: 1 }))
  const deliveredAt: number[] = []
  receiver.answer((_, response) => {
    deliveredAt.push(performance.now())
    response.end()
  })
  const world = await createWorld({ sql, url, receiverUrl: receiver.url, carrier })
  const { upload, block, event, sms } = world.writes
  await measureThroughput(cluster, world)

  const load = startLoad([
    { kind: 'upload', write: upload, pauseMs: 100 },
    { kind: 'upload', write: upload, pauseMs: 100 },
    { kind: 'block', write: block, pauseMs: 25 },
    { kind: 'block', write: block, pauseMs: 25 },
    { kind: 'event', write: event, pauseMs: 25 },
    { kind: 'event', write: event, pauseMs: 25 },
    { kind: 'sms', write: sms, pauseMs: 1500 },
  ])
  const runs = startRuns(sql, url, 2)
  const lists = startLists(url, world.secret)
  const questions = await startQuestions(sql, () => url, { isProxied: true })
  await sleep(PHASE_MS)

  /** Disturbs something, and reports how long no client succeeded. */
  async function disturb(
    event: string,
    perform: () => Promise<unknown>,
    remedy = async () => {},
  ): Promise<number> {
    const failuresBefore = load.failures()
    await perform()
    const moment = performance.now()
    logProgress(event)
    await remedy()
    const ms = await load.recoveredAfter(moment)
    await sleep(PHASE_MS)
    const failed = load.failures() - failuresBefore
    const gap = load.longestGapSince(moment)
    table.push([
      `after ${event}`,
      `first write ${seconds(ms)}, longest pause of all writes ${seconds(gap)}, ${failed} attempts repeated`,
    ])
    return moment
  }

  await disturb('the kill of an api process', () => servers.kill('api1'))
  await start('api1')
  await waitForApis(2)
  const killedAt = await disturb('the kill of a worker process', () => servers.kill('worker1'))
  const firstDelivery = deliveredAt.find((at) => at > killedAt)
  table.push(['', `first delivery ${firstDelivery ? seconds(firstDelivery - killedAt) : 'never'}`])
  await start('worker1')
  await disturb(
    'the end of all connections to PostgreSQL',
    () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'atrium %'`,
  )
  await disturb('a restart of PostgreSQL', () => pair.restartPrimary())
  await disturb(`a hang of the bucket for ${seconds(BUCKET_HANGS_MS)}`, async () => {
    bucket.hang(true)
    await sleep(BUCKET_HANGS_MS)
    bucket.hang(false)
  })
  const standbyReads = await standbyReadsOf(`http://127.0.0.1:${ports.api2}`)
  await disturb(
    'the kill of the primary, with promotion of the standby',
    () => pair.killPrimary(),
    () => pair.promoteStandby(),
  )
  await load.stop()
  logProgress('load stopped')
  problems.push(...load.problems)
  await Promise.all([runs.stop(), lists.stop(), questions.stop()])
  await drain(cluster, sql, world)
  logProgress('all work is done')

  const { acknowledged } = load
  problems.push(
    ...(await findViolations({ sql, url, world, acknowledged, carrier, received: receiver.requests })),
    ...(await runs.problems()),
    ...lists.problems,
    ...questions.problems,
    ...(standbyReads > 0 ? [] : ['lists: the standby ran none']),
    ...(await servers.unexpectedExits()).map((name) => `${name} exited unexpectedly`),
  )
  for (const kind of ['upload', 'block', 'event', 'sms'] as const)
    table.push([`acknowledged: ${NAMES[kind]}`, `${acknowledged[kind].length}`])
  table.push(
    [
      'deliveries',
      `${receiver.requests.length}, of which ${repeatedDeliveries(receiver.requests)} repeated an id`,
    ],
    ['text messages at the carrier', `${carrier.messages.length}`],
    [
      'lists, each with all changes before it',
      `${lists.count()}; the standby ran ${standbyReads} for one process`,
    ],
    ['checked answers by status', JSON.stringify(questions.counts)],
    ['runs, each event seen once', `${runs.count()} over ${runs.connections()} connections`],
  )
  problems.push(...(await checkPooler(programs.pgbouncer, cluster)))
  table.push(['PgBouncer', 'session mode works; transaction and statement mode are refused'])
  if (problems.length > 0) console.log(servers.output().slice(-OUTPUT_SHOWN))
}

async function measureThroughput(
  { url, haproxy, waitForApis }: Cluster,
  { secret, projectId }: World,
): Promise<void> {
  const results = await compareProcesses(
    url,
    secret,
    [
      { name: 'list of projects', method: 'GET', path: '/projects?limit=20' },
      { name: 'a new block', method: 'POST', path: `/projects/${projectId}/blocks`, body: '{"type":"note"}' },
    ],
    async (processes) => {
      await haproxy.command(`set server api/api2 state ${processes === 1 ? 'maint' : 'ready'}`)
      await waitForApis(processes)
    },
  )
  const ratioOf = ({ one, two }: ThroughputResult) => (two / one).toFixed(2)
  for (const each of results)
    table.push([
      `requests per second, ${each.name}`,
      `${each.one.toFixed(0)} with one api process, ${each.two.toFixed(0)} with two: × ${ratioOf(each)}`,
    ])
}

/** Waits until the server has recorded every delivery and every sent message, also those of killed workers. */
async function drain({ carrier }: Cluster, sql: Pool, { orgId, webhookId }: World): Promise<void> {
  await until(
    'every event is delivered and every message is sent',
    async () => {
      const [remaining] = await sql<{ events: number; messages: number }[]>`
        select
          (select count(*) from events
            where org_id = ${orgId} and webhook_id = ${webhookId} and status = 'received')::int as events,
          (select count(*) from sms_messages where org_id = ${orgId} and direction = 'outbound' and provider_id is null)::int
            as messages`
      return remaining!.events === 0 && remaining!.messages === 0 && carrier.messages.length > 0
    },
    DRAIN_S,
  ).catch((error: Error) => problems.push(error.message))
}

/** Problems of one kind have the same text after the name. */
function examplesOf(all: string[]): string[] {
  const kinds = Map.groupBy(all, (problem) =>
    problem
      .slice(problem.indexOf(':'))
      .replaceAll(/[\d"-]/g, '')
      .slice(0, 80),
  )
  return [...kinds.values()].flatMap((list) => [...list.slice(0, EXAMPLES), `(${list.length} of this kind)`])
}

function logProgress(text: string): void {
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
