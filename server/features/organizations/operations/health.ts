import { statfs } from 'node:fs/promises'
import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import { readBackupState } from '../../../backup/last-backup.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { Standby } from '../../../database/standby/standby.ts'
import { declaredJobs, jobIdentifiers, LANES, type Lane } from '../../../jobs/job.ts'
import { countAddresses, listProcesses, type ProcessRow } from '../../../observability/heartbeat.ts'
import { redactSecrets } from '../../../security/redact-secrets.ts'
import { checkStore } from '../../../storage/watched.ts'
import {
  countSources,
  countTasks,
  listRunning,
  listSlowest,
  listTables,
  readBacklogs,
  readDatabase,
  readParts,
  readSizes,
  type SizesRow,
  type TableRow,
  type TaskRow,
} from './health-queries.ts'
import { listDeadJobs } from './job-queue.ts'
import { readLoad } from './load.ts'
import { findProblems, type HealthReport, healthStatus } from './problems.ts'

type HealthContext = Pick<Context<'mail' | 'objects'>, 'sql' | 'objects' | 'mail' | 'now'>

export interface HealthOptions {
  dataFolder: string
  processId: string
  standby: Pick<Standby, 'lag'> | null
  /** Whether this process's statements failed because the database disk is full. */
  isDatabaseFull: () => boolean
  sizesOf: ReturnType<typeof createSizes>
}

export const readSummary = async (ctx: HealthContext, dataFolder: string) =>
  summaryOf(ctx, dataFolder, await countTasks(ctx.sql))

async function summaryOf({ sql, objects, mail, now }: HealthContext, dataFolder: string, tasks: TaskRow[]) {
  const [{ unsent, openFeedback, workers }, storage, disk, { last, isOverdue }] = await Promise.all([
    readParts(sql, now()),
    objects.lastCheck?.() ?? checkStore(objects),
    diskOf(dataFolder),
    readBackupState(sql, now()),
  ])
  const total = sumOf(tasks)
  return {
    jobs: {
      waiting: total.waiting + total.running + total.retrying,
      dead: total.dead,
      lagSeconds: total.lagSeconds,
      workers,
    },
    mail: { configured: mail.canSend, unsent },
    storage: {
      description: objects.description,
      available: storage.available,
      full: storage.full,
      checkedAt: storage.checkedAt.toISOString(),
      problem: storage.problem,
    },
    disk,
    backup: { last, isOverdue },
    openFeedback,
  }
}

export async function readHealth(ctx: HealthContext, options: HealthOptions): Promise<HealthReport> {
  const { sql, now } = ctx
  const tasks = await countTasks(sql)
  const processes = await listProcesses(sql)
  const alive = processes.filter(({ isAlive }) => isAlive)
  const [summary, backlogs, sources, deadJobs, database, sizes, organizations, lag] = await Promise.all([
    summaryOf(ctx, options.dataFolder, tasks),
    readBacklogs(sql, now()),
    countSources(sql, now()),
    listDeadJobs(sql, HEALTH_LIMITS.deadJobs),
    readDatabase(sql),
    options.sizesOf(sql),
    readLoad(sql, alive),
    options.standby?.lag(),
  ])
  const { hasStatements, ...connections } = database
  const statements = await (hasStatements ? listSlowest(sql) : listRunning(sql))
  const facts = {
    ...summary,
    at: now().toISOString(),
    lanes: lanesOf(tasks),
    backlogs: [...backlogs],
    sources,
    deadJobs: [...deadJobs],
    windowMinutes: HEALTH_LIMITS.windowMinutes,
    outcomes: outcomesOf(alive),
    processes: processes.map((process) => presentProcess(process, options.processId)),
    organizations,
    objects: { files: sizes.files, bytes: sizes.storedBytes },
    database: {
      ...connections,
      bytes: sizes.bytes,
      tables: [...sizes.tables],
      standby: options.standby && standbyOf(alive, lag ?? null),
      statements: {
        source: hasStatements ? ('pg_stat_statements' as const) : ('pg_stat_activity' as const),
        items: statements.map((row) => ({ ...row, query: redactSecrets(row.query.replaceAll(/\s+/g, ' ')) })),
      },
    },
  }
  const problems = findProblems(facts, {
    isDatabaseFull: options.isDatabaseFull(),
    addresses: countAddresses(alive),
    lacksPublicUrl: alive.some(({ figures }) => figures.hasPublicUrl === false),
  })
  return { ...facts, problems, status: healthStatus(problems) }
}

function lanesOf(tasks: readonly TaskRow[]) {
  const laneOf = new Map<string, Lane>()
  for (const job of declaredJobs.values())
    for (const identifier of jobIdentifiers(job)) laneOf.set(identifier, job.lane ?? 'default')
  return (Object.keys(LANES) as Lane[]).map((lane) => ({
    lane,
    ...sumOf(tasks.filter(({ task }) => (laneOf.get(task) ?? 'default') === lane)),
  }))
}

const sumOf = (tasks: readonly TaskRow[]) => ({
  waiting: tasks.reduce((sum, { waiting }) => sum + waiting, 0),
  running: tasks.reduce((sum, { running }) => sum + running, 0),
  retrying: tasks.reduce((sum, { retrying }) => sum + retrying, 0),
  dead: tasks.reduce((sum, { dead }) => sum + dead, 0),
  lagSeconds: Math.max(0, ...tasks.map(({ lagSeconds }) => lagSeconds)),
})

const OUTCOME_NAMES = ['requests', 'jobs', 'deliveries', 'modelCalls'] as const

const outcomesOf = (processes: readonly ProcessRow[]) =>
  OUTCOME_NAMES.map((name) => ({
    name,
    total: processes.reduce((sum, { figures }) => sum + figures.outcomes[name].total, 0),
    failed: processes.reduce((sum, { figures }) => sum + figures.outcomes[name].failed, 0),
  }))

const standbyOf = (processes: readonly ProcessRow[], lag: Awaited<ReturnType<Standby['lag']>>) => {
  const standbyReads = processes.flatMap(({ figures }) => figures.outcomes.standbyReads ?? [])
  const primaryReads = standbyReads.reduce((sum, { failed }) => sum + failed, 0)
  return { lag, reads: standbyReads.reduce((sum, { total }) => sum + total, 0) - primaryReads, primaryReads }
}

const presentProcess = ({ figures, ...process }: ProcessRow, currentId: string) => ({
  ...process,
  isCurrent: process.id === currentId,
  rssBytes: figures.rssBytes,
  heapBytes: figures.heapBytes,
  busy: figures.busy,
  openStreams: figures.openStreams,
  clockOffsetMs: figures.clockOffsetMs ?? 0,
  requests: figures.outcomes.requests.total,
})

/** The data folder's disk. Null if the system doesn't report it. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

const CACHED_MS = 30_000

interface Sizes extends SizesRow {
  tables: readonly TableRow[]
}

/** Sizes change slowly, and reading them visits every database file and usage counter. */
export function createSizes(): (sql: Sql) => Promise<Sizes> {
  let last: { at: number; sizes: Promise<Sizes> } | null = null
  return (sql) => {
    if (last && performance.now() - last.at < CACHED_MS) return last.sizes
    const sizes = read(sql)
    last = { at: performance.now(), sizes }
    sizes.catch(() => {
      last = null
    })
    return sizes
  }
}

async function read(sql: Sql): Promise<Sizes> {
  const [sizes, tables] = await Promise.all([readSizes(sql), listTables(sql)])
  return { ...sizes, tables: [...tables] }
}
