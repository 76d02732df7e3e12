import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Sql } from '../database/database.ts'
import { LOAD_WINDOW_S, type Load } from './load.ts'
import { readOutcomes } from './outcome-counts.ts'
import { deleteProcess, type Figures, saveProcess } from './process-queries.ts'
import { createRecentOutcomes } from './recent.ts'

const HEARTBEAT_MS = 10_000
const ORGANIZATIONS_SHOWN = 20

export interface HeartbeatOptions {
  sql: Sql
  id: string
  role: string
  version: string
  registry: Registry
  load: Load
  openStreams: () => number
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
      .catch((err: unknown) => log.warn({ err }, 'could not report this process'))
    return last
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

function createFiguresReader({ registry, load, openStreams }: HeartbeatOptions): () => Promise<Figures> {
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
      outcomes: recentOutcomes(await readOutcomes(registry)),
      organizations: load.largest(ORGANIZATIONS_SHOWN),
    }
  }
}
