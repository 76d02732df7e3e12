import type { Logger } from 'pino'
import { connections as contract } from '../../../../contract/connections/connections.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { memberLeaves } from '../../organizations/organizations/organizations.ts'
import * as manage from './api/manage.ts'
import { share, submitCredentials } from './api/manage.ts'
import { startConnection, startOAuth } from './api/start.ts'
import { mailBroken } from './broken-mail.ts'
import { connectionBroken, revokeTokens, sweepJob } from './jobs.ts'
import { getOAuth, postOAuth } from './oauth/authorize.ts'
import { finishOAuth } from './oauth/callback.ts'
import { unshareProject } from './queries.ts'
import { startRefreshLoop } from './refresh/refresh-loop.ts'
import { connectionRevoked, revokeLater, revokeMemberConnections } from './revoke.ts'
import { sweepConnections } from './status.ts'

export { countHeldEvents } from './api/manage.ts'
export { ConnectionExpired, callConnection } from './calls/call-connection.ts'
export { deleteCallsOfProject, deleteCallsOfRunsSql } from './calls/call-queries.ts'
export { reportFailure } from './check-now.ts'
export type { ConnectionDependencies } from './dependencies.ts'
export { connectionChanged, connectionRecovered } from './jobs.ts'
export { openConnection } from './open.ts'
export {
  countExpired,
  expiredCount,
  listUsable,
  type UsableConnection,
  updateUsed as markUsed,
} from './queries.ts'
export { connectionRevoked } from './revoke.ts'
export type { OpenConnection } from './target.ts'

interface Options {
  connectors: ConnectorsConfig
  log: Logger
}

/** Users' connections to outside services: authorization, tokens and who may use them. */
export const connections = ({ connectors, log }: Options): Feature => ({
  routes: [
    handle(contract.list, manage.list),
    handle(contract.start, startConnection(connectors)),
    handle(contract.get, manage.get),
    handle(contract.update, manage.update),
    handle(contract.remove, manage.remove),
    handle(contract.submitCredentials, submitCredentials(connectors)),
    handle(contract.getOAuth, getOAuth(connectors)),
    handle(contract.postOAuth, postOAuth(connectors)),
    handle(contract.startOAuth, startOAuth(connectors)),
    handle(contract.callback, finishOAuth(connectors, log)),
    handle(contract.check, manage.check(connectors)),
    handle(contract.share, share),
    handle(contract.calls, manage.calls),
  ],
  jobs: [
    onJob(connectionBroken, mailBroken),
    onJob(revokeTokens, revokeLater(connectors)),
    onJob(sweepJob, sweepConnections),
  ],
  schedules: [{ job: sweepJob, cron: '*/10 * * * *' }],
  hooks: [connectionRevoked, manage.countHeldEvents],
  fills: [
    fill(emptyProject, ({ sql, now }, { orgId, id }) => unshareProject(sql, orgId, id, now())),
    fill(memberLeaves, revokeMemberConnections),
  ],
  start: (runtime) => startRefreshLoop(connectors, runtime),
})
