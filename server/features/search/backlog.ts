import type { WorkerRuntime } from '../../feature.ts'
import { startOrganizationLoop } from '../../jobs/organization-loop.ts'
import {
  type Backlog,
  claimBacklogs,
  deleteBacklog,
  fillType,
  moveFiles,
  updatePosition,
} from './backlog-queries.ts'

const CHANNEL = 'atrium_search'
const CONCURRENCY_MAX = 2
const LEASE_MS = 60_000

/** Indexes records that are older than the search, one batch per organization at a time. A crash repeats one batch. */
export const startBacklogWorker = (runtime: WorkerRuntime) =>
  startOrganizationLoop<Backlog>(runtime, {
    name: 'search backlogs',
    channel: CHANNEL,
    concurrency: CONCURRENCY_MAX,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimBacklogs(runtime.pool, request),
    run: async (backlog) => {
      const { now, transaction } = runtime.context()
      await transaction(async ({ sql }) => {
        const { orgId, folderId } = backlog
        const last =
          folderId === orgId ? await fillType(sql, orgId, backlog) : await moveFiles(sql, orgId, backlog)
        if (last) await updatePosition(sql, orgId, backlog, last, now())
        else await deleteBacklog(sql, orgId, backlog)
      })
    },
  })
