import { connectorEndpoints as contract } from '../../../../contract/connections/connector-endpoints.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { providerRunEnded } from '../../agents/runs/runs.ts'
import { connectionRevoked, countHeldEvents } from '../connections/connections.ts'
import type { EndpointOptions } from './dependencies.ts'
import { releaseOrphanedThreads } from './handling/claim-queries.ts'
import { startEventWorker } from './handling/handle-thread.ts'
import { checkUrl, receive } from './receive/receive.ts'
import { createEndpointReceivers } from './receive/receivers.ts'
import { concludeRun } from './replies/conclude-run.ts'
import { approveReply, readReplies, rejectReply } from './replies/decide.ts'
import { releaseOrphanedReplies } from './replies/reply-queries.ts'
import { startReplyWorker } from './replies/send-reply.ts'
import { deleteEndpoint, updateEndpoint } from './setup/change.ts'
import { createEndpoint } from './setup/create.ts'
import { endpointDeleted, removeConnectionEndpoints } from './setup/remove-revoked.ts'
import { cleanUp, renewAll, renewEndpoints } from './setup/renew.ts'
import { deleteOfProject, sweepEvents, sweepStored } from './setup/retention.ts'
import { testEndpoint } from './setup/test-endpoint.ts'
import { countHeld } from './view/event-queries.ts'
import { observeEndpoints, readEndpoints, readWithSetup } from './view/read-endpoints.ts'
import { observeEvents, readEvent, readEvents, retryEvent, tryFilter } from './view/read-events.ts'

export { callbackBase } from './callback-url.ts'

/** Provider events that start agents, with answers sent back as replies. */
export function connectorEndpoints(options: EndpointOptions): Feature {
  const receivers = createEndpointReceivers(options)
  return {
    routes: [
      handle(contract.create, (ctx, input) => createEndpoint(options, ctx, input)),
      handle(contract.list, (ctx, input) => readEndpoints(options, ctx, input)),
      handle(contract.get, (ctx, { id }) => readWithSetup(options, ctx, id)),
      handle(contract.update, (ctx, input) => updateEndpoint(options, ctx, input)),
      handle(contract.remove, deleteEndpoint),
      handle(contract.test, (ctx, input) => testEndpoint(options, ctx, input)),
      handle(contract.tryFilter, tryFilter),
      handle(contract.events, readEvents),
      handle(contract.event, readEvent),
      handle(contract.retryEvent, retryEvent),
      handle(contract.replies, readReplies),
      handle(contract.approveReply, approveReply),
      handle(contract.rejectReply, rejectReply),
      handle(contract.receive, receive(receivers)),
      handle(contract.checkUrl, checkUrl(receivers)),
      handle(contract.observeEndpoints, observeEndpoints),
      handle(contract.observeEvents, observeEvents),
    ],
    jobs: [
      onJob(providerRunEnded, concludeRun),
      onJob(endpointDeleted, cleanUp(options)),
      onJob(renewEndpoints, renewAll(options)),
      onJob(sweepEvents, (ctx) => sweepStored(ctx.sql, ctx.now())),
    ],
    schedules: [
      { job: renewEndpoints, cron: '*/5 * * * *' },
      { job: sweepEvents, cron: '23 * * * *' },
    ],
    fills: [
      fill(emptyProject, ({ sql }, { orgId, id }) => deleteOfProject(sql, orgId, id)),
      fill(connectionRevoked, removeConnectionEndpoints),
      fill(countHeldEvents, countHeld),
    ],
    start: async (runtime) => {
      const workers = [await startEventWorker(options, runtime), await startReplyWorker(options, runtime)]
      return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
    },
    recover: async (pool, now) => {
      await Promise.all([releaseOrphanedThreads(pool, now), releaseOrphanedReplies(pool, now)])
    },
  }
}
