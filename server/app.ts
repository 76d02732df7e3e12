import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { EndpointName } from '../contract/index.ts'
import type { AppOptions } from './app-options.ts'
import { createTurns } from './concurrency/turns.ts'
import { type Capability, createContext, type Origin, type PublicContext } from './context.ts'
import type { Pool } from './database/database.ts'
import { forOrganization } from './database/fair-pool.ts'
import { requireSameSecret } from './database/installation-state.ts'
import { analyzeNewTables, isMigrated, migrate, requireMigrated } from './database/migrate.ts'
import { applicationName, closePools, openPools } from './database/pools.ts'
import { openConfiguredStandby } from './database/standby/standby.ts'
import type { Call } from './endpoint/call.ts'
import { createInvoker } from './endpoint/invoke.ts'
import { checkRoutes } from './endpoint/route.ts'
import { findOpenRun, findOutsideBlocks } from './features/agents/runs/runs.ts'
import { addCounts, createCallCounter } from './features/mcp/call-counts/call-counts.ts'
import { loadModelSettings, loadProviders } from './features/models/providers/providers.ts'
import { hasActiveNumber } from './features/telephony/telephony.ts'
import { listFeatures } from './features.ts'
import { createHooks } from './hooks.ts'
import type { Parts } from './http/health.ts'
import { closeHttp, createHttp, drainHttp } from './http/http.ts'
import { createBodySpool } from './http/large-bodies.ts'
import { createWorkerHttp } from './http/worker-http.ts'
import { type BackgroundTask, checkJobs, migrateJobs, startWorker } from './jobs/worker.ts'
import { releaseOrphanedJobs } from './jobs/worker-heartbeat.ts'
import { createModels } from './language-models/models.ts'
import { mailJobs } from './mail/mail.ts'
import { mailSettings } from './mail/mail-settings.ts'
import { openMailer } from './mail/mailer.ts'
import { createMcp } from './mcp/mcp.ts'
import { createQuotas } from './metering/quotas.ts'
import { openObservability } from './observability/observability.ts'
import { createOutbound } from './outbound/outbound.ts'
import { fixedClock, startDatabaseClock } from './processes/database-clock.ts'
import { watchDatabaseSpace } from './processes/database-space.ts'
import { newId } from './security/ids.ts'
import { createVault } from './security/vault.ts'
import { browserUrl, urlHost } from './startup/browser-url.ts'
import { createCredentials } from './startup/credentials.ts'
import { healthPortInUse } from './startup/explain.ts'
import { createTextOrigins } from './startup/text-origins.ts'
import { openObjects } from './storage/open.ts'
import { watchStore } from './storage/watched.ts'
import { createStreams } from './streams/streams.ts'
import { createSuspensions } from './suspensions/suspensions.ts'

/** Composition root: opens the dependencies, lists the features, starts and stops them. */
export async function createApp({ config, connection, secret, log, ...options }: AppOptions) {
  const vault = createVault(secret)
  const objects = watchStore(await openObjects(config, vault, options.storageDeadlines), log)
  const processId = newId()
  const { connectionShare } = options
  const pools = openPools(connection, applicationName(processId), connectionShare)
  const { requests: pool, background } = pools
  const { systemTime, measureClockMs: measureMs } = options
  const clock = options.now
    ? fixedClock(options.now)
    : await startDatabaseClock({ sql: background, log, systemTime, measureMs })
  const { now } = clock
  const space = watchDatabaseSpace(background, log)
  const { standbyPauseMs: pauseMs } = options
  const standby = openConfiguredStandby(config, { primary: pool, processId, log, pauseMs })
  const outbound = createOutbound({ allowed: config.allowPrivateTargets })
  let url = `http://${urlHost(config.host)}:${config.port}`
  const mail = mailSettings(config, () => browserUrl(url))
  const quotas = createQuotas(pool, config.quotas, (err) =>
    log.warn({ err }, 'could not read an organization’s usage'),
  )
  const suspensions = createSuspensions(background, pool, log)
  const streams = createStreams(pool, log, { now, quotas, suspensions })
  const providers = loadProviders(pool, vault)
  const models = createModels({
    config: config.models,
    loadProviders: providers,
    loadSettings: loadModelSettings(pool),
    outbound,
    now,
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  })
  const features = listFeatures({
    config,
    pool,
    vault,
    models,
    streams,
    standby,
    processId,
    isDatabaseFull: space.isFull,
    invoke: (name, call) => invoker.invoke(invoker.byName(name), call),
    now,
    log,
  })
  const hooks = createHooks(features)
  const routes = features.flatMap((feature) => feature.routes)
  const handlers = [...mailJobs(openMailer(config, log)), ...features.flatMap(({ jobs = [] }) => jobs)]
  const schedules = features.flatMap((feature) => feature.schedules ?? [])
  checkRoutes(routes)
  checkJobs(handlers)
  await (options.mayMigrate === false ? requireMigrated(background) : migrate(background))
  await requireSameSecret(background, vault, options.acceptsNewSecret ?? false)
  await migrateJobs(background, connection, log)
  await suspensions.start()
  if (options.isOnlyProcess) {
    const recoveries = features.map(({ recover }) => recover?.(background, now()))
    await Promise.all([releaseOrphanedJobs(background), ...recoveries])
  }

  const credentials = createCredentials({ pools, vault, suspensions, now, log })
  const { identify, reidentify } = credentials
  const { checkOutput, recheckAfterMs } = options
  const reads = options.standby ?? standby
  const capabilities = { vault, objects, outbound, mail, quotas, suspensions, hooks }
  const invoker = createInvoker({
    routes,
    pools,
    standby: reads,
    now,
    capabilities,
    log,
    checkOutput,
    recheckAfterMs,
  })
  const contextOn = (sql: Pool, origin: Origin): PublicContext<Capability> =>
    createContext({ ...capabilities, caller: null, origin, sql, now })
  const observed = {
    config,
    processId,
    mainPid: options.mainPid,
    connectionShare,
    pool,
    background,
    standby,
    features,
    openStreams: streams.size,
    clock,
    log,
  }
  const observability = await openObservability({ ...observed, onFailure: space.report })
  const callCounter = createCallCounter(
    (counts) => addCounts(background, counts),
    now,
    (err) => log.warn({ err }, 'could not store the MCP call count'),
  )
  const mcp = createMcp({
    identify: credentials.identifyMcp,
    invoke: (name, call) => invoker.invoke(invoker.byName(name), call),
    sqlFor: invoker.sqlFor,
    findOutsideBlocks,
    listTextOrigins: createTextOrigins(pool),
    findOpenRun,
    hasNumber: hasActiveNumber,
    countCall: (call) => {
      callCounter.add(call)
      observability.http.metrics.toolCalls.observe([call.tool, call.failed ? 'error' : 'ok'], call.seconds)
    },
    vault,
    now,
    log,
  })
  const parts: Parts = {
    database: () => isMigrated(background),
    isDatabaseFull: space.isFull,
    storage: objects.lastCheck,
    clock,
    isWorkerOnly: config.role === 'worker',
  }
  const http = await createHttp({
    mcp,
    invoker,
    log,
    identify,
    reidentify,
    turns: options.turns ?? createTurns(),
    ...observability.http,
    readMetrics: options.readMetrics,
    timeLimits: options.timeLimits,
    bodySpool: createBodySpool(join(config.dataFolder, 'bodies'), options.bodyLimits),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    parts,
    reportFailure: space.report,
    onUndeclared: options.onUndeclared,
    sockets: {
      routes: features.flatMap(({ sockets = [] }) => sockets),
      suspensions,
      contextFor: (origin, orgId) => contextOn(orgId === null ? pool : forOrganization(pool, orgId), origin),
      limits: options.socketLimits,
    },
  })
  const system = (): PublicContext<Capability> => {
    const origin = { ip: 'system', userAgent: null, baseUrl: config.publicUrl ?? url, flowSecret: null }
    return contextOn(background, origin)
  }
  let backgroundTasks: BackgroundTask[] = []
  let workerHttp: ReturnType<typeof createWorkerHttp> | null = null
  function openWorkerHttp() {
    const { metrics } = observability.http
    const { readMetrics } = options
    workerHttp = createWorkerHttp({ parts, metrics, readMetrics, metricsToken: config.metricsToken, log })
    return workerHttp
  }

  return {
    /** A context for work outside requests: jobs, and setup at start. */
    system,
    /** Calls an endpoint without HTTP, with the same checks in the same order. */
    invoke: (name: EndpointName, call: Call) => invoker.invoke(invoker.byName(name), call),
    async listen(): Promise<string> {
      await http.listen({ port: config.port, host: config.host })
      const { port } = http.server.address() as AddressInfo
      url = `http://${urlHost(config.host)}:${port}`
      return url
    },
    /** Serves health and metrics for a process without requests. Null if the port is in use. */
    async listenForHealth(): Promise<string | null> {
      const healthHttp = openWorkerHttp()
      try {
        await healthHttp.listen({ port: config.healthPort, host: config.host })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
        log.warn(healthPortInUse(config.healthPort))
        return null
      }
      const { port } = healthHttp.server.address() as AddressInfo
      return `http://${urlHost(config.host)}:${port}`
    },
    /** Instead of listening, serves connections that another process accepts at this URL. */
    async receiveAt(sharedUrl: string): Promise<(socket: Socket) => void> {
      url = sharedUrl
      const receiver = config.role === 'worker' ? openWorkerHttp() : http
      await receiver.ready()
      // From then on, Node keeps track of connections: of their time limits, and which are idle.
      receiver.server.emit('listening')
      return (socket) => {
        // As Node sets it for connections that an HTTP server accepts.
        socket.allowHalfOpen = true
        receiver.server.emit('connection', socket.setNoDelay())
      }
    },
    observability,
    async startWorker() {
      await analyzeNewTables(background)
      const runtime = { pool: background, context: system, clock, suspensions, log, ...observability.jobs }
      backgroundTasks.push(
        await startWorker({ connection, connectionShare, handlers, schedules, ...runtime }),
      )
      for (const { start } of features) if (start) backgroundTasks.push(await start(runtime))
    },
    /** Finishes running requests and jobs, flushes buffered writes, then closes the database connections. */
    async close({ isReplaced = false } = {}) {
      if (isReplaced) {
        streams.end()
        await drainHttp(http)
      }
      streams.close()
      for (const feature of features) feature.close?.()
      await closeHttp(http)
      await workerHttp?.close()
      await Promise.all(backgroundTasks.map((task) => task.stop()))
      backgroundTasks = []
      clock.stop()
      space.close()
      objects.close()
      await outbound.close()
      await suspensions.stop()
      await Promise.all([credentials.close(), callCounter.close()])
      await observability.close()
      await standby?.close()
      await closePools(pools)
    },
  }
}
