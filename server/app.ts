import { type AddressInfo, isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { createContext, type PublicContext } from './context.ts'
import type { Connection } from './database/connection.ts'
import { openDatabase } from './database/database.ts'
import { createTouches } from './database/last-used-buffer.ts'
import { isMigrated, migrate } from './database/migrate.ts'
import { checkRoutes } from './endpoint/route.ts'
import { identifySession, prolongSessions } from './features/accounts/accounts.ts'
import { accountJobs } from './features/accounts/jobs.ts'
import { oauthProvidersOf } from './features/accounts/oauth/oauth-providers.ts'
import {
  accountRoutes,
  oauthRoutes,
  passkeyRoutes,
  securityRoutes,
  signInRoutes,
} from './features/accounts/routes.ts'
import { identifyKey, updateKeysUsed } from './features/api-keys/api-keys.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { createHub } from './features/canvas/live/hub.ts'
import { liveRoutes } from './features/canvas/live/routes.ts'
import { canvasRoutes } from './features/canvas/routes.ts'
import { deviceLoginRoutes } from './features/device-login/routes.ts'
import { feedbackJobs } from './features/feedback/jobs.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { fileJobs, fileSchedules } from './features/files/jobs.ts'
import { fileRoutes } from './features/files/routes.ts'
import { discardUpload, takeUpload } from './features/files/upload/store-upload.ts'
import { operationJobs, operationSchedules } from './features/operations/retention.ts'
import { operationRoutes } from './features/operations/routes.ts'
import { organizationRoutes } from './features/organizations/routes.ts'
import { projectCopyRoutes } from './features/project-export/routes.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { sharingRoutes } from './features/sharing/routes.ts'
import { identifyShareTicket } from './features/sharing/sharing.ts'
import { startDispatcher } from './features/webhooks/deliver/dispatcher.ts'
import { freeAllDeliveries } from './features/webhooks/deliver/leases.ts'
import { createTail } from './features/webhooks/log/event-stream.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { workspaceRoutes } from './features/workspaces/routes.ts'
import { closeHttp, createHttp } from './http/http.ts'
import { createMetrics } from './http/metrics.ts'
import { checkJobs, migrateJobs, startWorker, type Worker } from './jobs/worker.ts'
import { freeAllJobs } from './jobs/worker-heartbeat.ts'
import { mailJobs } from './mail/mail.ts'
import { outboxMailer, smtpMailer } from './mail/mailer.ts'
import { openModels } from './models/models.ts'
import { createOutbound } from './outbound/outbound.ts'
import { newId } from './security/ids.ts'
import { createVault } from './security/vault.ts'
import { openObjects } from './storage/open.ts'

export interface AppOptions {
  config: Config
  connection: Connection
  /** Nobody else uses this database, so whatever was being done when this process starts was cut off. */
  isAlone: boolean
  secret: string
  log: Logger
  now?: () => Date
  checkOutput?: boolean
}

/** All work is done when the database is let go of: a connection still busy then was cut off, and never answers. */
const DEAD_AFTER_S = 2

/** The whole server: what it opens, what it offers, and how it ends. */
export async function createApp({ config, connection, secret, log, ...options }: AppOptions) {
  const now = options.now ?? (() => new Date())
  const vault = createVault(secret)
  const objects = await openObjects(config, vault)
  const applicationName = `atrium ${newId()}`
  const pool = openDatabase(connection, applicationName)
  await migrate(pool)
  await migrateJobs(pool, connection, log)
  if (options.isAlone) await Promise.all([freeAllJobs(pool), freeAllDeliveries(pool, now())])

  const outbound = createOutbound({ allowed: config.allowPrivateTargets })

  const mailer = config.smtpUrl
    ? smtpMailer(config.smtpUrl, config.mailFrom)
    : outboxMailer(join(config.dataFolder, 'outbox'), config.mailFrom, log)

  const hub = createHub(pool, log, { now })
  const tail = createTail(pool, log)
  const keyEnvironment = config.production ? 'live' : 'test'
  const routes = [
    ...accountRoutes,
    ...passkeyRoutes,
    ...oauthRoutes({ providers: oauthProvidersOf(config.oauthClients), signup: config.signup, log }),
    ...signInRoutes(config.signup),
    ...securityRoutes,
    ...organizationRoutes,
    ...workspaceRoutes,
    ...apiKeyRoutes(keyEnvironment),
    ...deviceLoginRoutes(keyEnvironment),
    ...projectRoutes({ complete: openModels(config.modelProviders), log }),
    ...canvasRoutes,
    ...projectCopyRoutes,
    ...liveRoutes(hub),
    ...sharingRoutes,
    ...fileRoutes,
    ...webhookRoutes(tail),
    ...feedbackRoutes,
    ...operationRoutes,
  ]
  const handlers = [...accountJobs, ...feedbackJobs, ...fileJobs, ...mailJobs(mailer), ...operationJobs]
  const schedules = [...fileSchedules, ...operationSchedules]
  checkRoutes(routes)
  checkJobs(handlers)

  const dropped = (err: unknown) => log.warn({ err }, 'could not write when a credential was last used')
  const keys = createTouches((ids) => updateKeysUsed(pool, ids, now()), dropped)
  const sessions = createTouches((ids) => prolongSessions(pool, ids, now()), dropped)

  const http = await createHttp({
    pool,
    vault,
    objects,
    outbound,
    receive: { take: takeUpload, discard: discardUpload },
    now,
    routes,
    log,
    identify: {
      byKey: (key) => identifyKey(pool, key, now(), keys),
      bySession: (token) => identifySession(pool, token, now(), sessions),
      byShareTicket: (ticket) => identifyShareTicket(pool, vault, ticket, now()),
    },
    metrics: createMetrics(pool, applicationName, () => hub.size() + tail.size()),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    isReady: () => isMigrated(pool),
    checkOutput: options.checkOutput,
  })

  let address = `http://${hostOf(config.host)}:${config.port}`
  const system = (): PublicContext => {
    const origin = { address: 'system', userAgent: null, baseUrl: config.publicUrl ?? address, flow: null }
    return createContext({ caller: null, origin, sql: pool, now, vault, objects, outbound })
  }
  let worker: Worker | undefined
  let dispatcher: Awaited<ReturnType<typeof startDispatcher>> | undefined

  return {
    pool,
    /** A context for work that no request asked for. */
    system,
    async listen(): Promise<string> {
      await http.listen({ port: config.port, host: config.host })
      const { port } = http.server.address() as AddressInfo
      address = `http://${hostOf(config.host)}:${port}`
      return address
    },
    async startWorker() {
      worker = await startWorker({ connection, pool, context: system, handlers, schedules, log })
      dispatcher = await startDispatcher({ pool, context: system, log })
    },
    /** Finishes running requests and jobs, writes what was still to be written, then lets go of the database. */
    async close() {
      await hub.close()
      tail.close()
      await closeHttp(http)
      await Promise.all([worker?.stop(), dispatcher?.stop()])
      await outbound.close()
      await Promise.all([keys.close(), sessions.close()])
      await pool.end({ timeout: DEAD_AFTER_S })
    },
  }
}

/** As a person would type it. */
function hostOf(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
