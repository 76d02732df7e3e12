import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Sql } from '../database/database.ts'
import type { DatabaseClock } from './database-clock.ts'
import { LOAD_WINDOW_S, type Load } from './load.ts'
import { readOutcomes } from './outcome-counts.ts'
import { deleteProcess, type Figures, listProcesses, saveProcess } from './process-queries.ts'
import { createRecentOutcomes } from './recent.ts'

const HEARTBEAT_MS = 10_000
const ORGANIZATIONS_SHOWN = 20
/** The problem and its remedy, for a log line, the health page and the checklist. */
export const MISSING_PUBLIC_URL =
  'without ATRIUM_PUBLIC_URL each process puts its own address into emails, callbacks and signed URLs; set it to the URL that users open'

export interface HeartbeatOptions {
  sql: Sql
  id: string
  role: string
  version: string
  registry: Registry
  load: Load
  openStreams: () => number
  clock: Pick<DatabaseClock, 'offsetMs'>
  hasPublicUrl: boolean
  onFailure: (error: unknown) => void
  log: Logger
}

/** Reports every few seconds that this process is running, with its counters: any process can show all processes. */
export async function startHeartbeat(options: HeartbeatOptions) {
  const { sql, id, role, version, log } = options
  const identity = { id, role, version, host: hostname(), pid: process.pid }
  const readFigures = createFiguresReader(options)
  let last: Promise<void> = Promise.resolve()
  const beat = () => {
    last = readFigures()
      .then((figures) => saveProcess(sql, identity, figures))
      .then(warnWithoutUrl)
      .catch((err: unknown) => {
        options.onFailure(err)
        log.warn({ err }, 'could not report this process')
      })
    return last
  }
  let isWarned = options.hasPublicUrl
  async function warnWithoutUrl(): Promise<void> {
    if (isWarned || (await listProcesses(sql)).filter(({ isAlive }) => isAlive).length < 2) return
    isWarned = true
    log.warn(`several processes run: ${MISSING_PUBLIC_URL}`)
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS)
  await beat()
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await last
      await deleteProcess(sql, id).catch((err: unknown) =>
        log.warn({ err }, 'could not remove the row of this process'),
      )
    },
  }
}

function createFiguresReader({
  registry,
  load,
  openStreams,
  clock,
  hasPublicUrl,
}: HeartbeatOptions): () => Promise<Figures> {
  const recentOutcomes = createRecentOutcomes(LOAD_WINDOW_S * 1000)
  let utilization = performance.eventLoopUtilization()
  return async () => {
    const { rss, heapUsed } = process.memoryUsage()
    const now = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(now, utilization)
    utilization = now
    return {
      rssBytes: rss,
      heapBytes: heapUsed,
      busy: Math.round(busy * 1000) / 1000,
      openStreams: openStreams(),
      clockOffsetMs: clock.offsetMs(),
      hasPublicUrl,
      outcomes: recentOutcomes(await readOutcomes(registry)),
      organizations: load.largest(ORGANIZATIONS_SHOWN),
    }
  }
}
