import { sources as endpoints } from '../../../../contract/knowledge/sources.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { JobContext } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature, type WorkerRuntime } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { waitingIn } from '../../../jobs/claim-fairly.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import { connectionRecovered } from '../../connections/connections/connections.ts'
import * as manage from './manage.ts'
import { deleteProjectSources, SOURCES_CHANNEL, wakeWorkers } from './queries.ts'
import {
  claimSources,
  type DueSource,
  releaseLeases,
  resumeReconnected,
  SOURCES_QUEUE,
} from './sync/queries.ts'
import { runSync } from './sync/run-sync.ts'
import { LEASE_MS } from './sync/session.ts'

const CONCURRENCY_MAX = 4
const PER_ORGANIZATION_MAX = 2
const HAND_OVER_MS = 2000

/** Folders, pages and repositories outside that sync into project folders. */
export const sources = ({ connectors }: { connectors: ConnectorsConfig }): Feature => ({
  routes: [
    handle(endpoints.list, manage.listSources),
    handle(endpoints.readers, manage.listReaders),
    handle(endpoints.create, manage.createSource),
    handle(endpoints.get, manage.getSource),
    handle(endpoints.update, manage.updateSource),
    handle(endpoints.remove, manage.deleteSource),
    handle(endpoints.sync, manage.syncNow),
    handle(endpoints.log, manage.listLog),
    handle(endpoints.syncs, manage.listSyncs),
  ],
  jobs: [onJob(connectionRecovered, resume)],
  start: (runtime) => startSyncWorker(connectors, runtime),
  recover: async (pool, now) => void (await releaseLeases(pool, now)),
  fills: [fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteProjectSources(sql, orgId, id, limit))],
})

const resume = async ({ sql, now }: JobContext, { orgId, id }: { orgId: string; id: string }) => {
  await resumeReconnected(sql, orgId, id, now())
  wakeWorkers(sql)
}

const startSyncWorker = (connectors: ConnectorsConfig, runtime: WorkerRuntime) =>
  startOrganizationLoop<DueSource>(runtime, {
    name: 'sources',
    channel: SOURCES_CHANNEL,
    waiting: waitingIn(SOURCES_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    handOverMs: HAND_OVER_MS,
    claim: (request) => claimSources(runtime.pool, request),
    run: (due, slot) => runSync({ ...runtime.context(), connectors }, due, slot),
  })
