import type { Socket } from 'node:net'
import { readConfig } from '../../config/config.ts'
import { createLog, flushLog } from '../../log.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { openDataFolder } from '../data-folder.ts'
import { createHeldErrors } from '../held-errors.ts'
import { type Served, serve } from '../serve.ts'
import type { FromChild, ToChild } from './messages.ts'

type Start = Extract<ToChild, { type: 'start' }>

const SCRAPE_MS_MAX = 5000

/** One of the processes that share a port. It ends with the main process. */
export async function runChild(): Promise<void> {
  const config = readConfig()
  const log = await createLog(config.logLevel, {
    hooks: config.databaseUrl ? {} : createHeldErrors().hooks,
    isShared: true,
  })
  const start = Promise.withResolvers<Start>()
  const scrapes = new Map<number, (text: string) => void>()
  let served: Served | null = null
  let isStopping = false

  async function stop(isReplaced = false): Promise<void> {
    if (isStopping) return
    isStopping = true
    await served?.close({ isReplaced }).catch((err: unknown) => log.error({ err }, 'shutdown failed'))
    await flushLog(log)
    process.exit(0)
  }

  async function answerMeasure(request: number): Promise<void> {
    const metrics = (await served?.metrics.registry.getMetricsAsJSON()) ?? []
    send({ type: 'measured', request, metrics: metrics as never })
  }

  process.on('message', (message: ToChild, socket?: Socket) => {
    if (message.type === 'start') start.resolve(message)
    // First, so that the main process gives a connection to another process only if this one has read nothing.
    else if (message.type === 'connection') {
      send({ type: 'accepted', connection: message.connection })
      // Undefined if the client has disconnected.
      if (socket) served?.receive?.(socket)
    } else if (message.type === 'stop') void stop(message.isReplaced)
    else if (message.type === 'ask') send({ type: 'works' })
    else if (message.type === 'measure') void answerMeasure(message.request)
    else scrapes.get(message.request)?.(message.text)
  })
  // Until the main process knows, it hands over connections.
  process.on('SIGTERM', () => (served ? send({ type: 'leaving' }) : void stop()))
  process.on('disconnect', () => process.exit(1))
  // A terminal signals the whole group, and the main process decides.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})

  const { type: _, isFirst, url, ...options } = await start.promise
  served = await serve({
    ...{ config, log, secret: await openDataFolder(config) },
    ...options,
    mayMigrate: isFirst,
    shared: { url, mainPid: process.ppid },
    readMetrics: (own) => readAllMetrics(own, scrapes),
  })
  send({ type: 'ready', banner: isFirst ? await served.banner() : null })
}

const send = (message: FromChild): void => {
  if (process.connected) process.send!(message)
}

let lastRequest = 0

/** This process's own, if the main process doesn't answer. */
async function readAllMetrics(
  { registry }: Metrics,
  scrapes: Map<number, (text: string) => void>,
): Promise<string> {
  const request = ++lastRequest
  const text = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(resolve, SCRAPE_MS_MAX, null)
    scrapes.set(request, (all) => {
      clearTimeout(timer)
      resolve(all)
    })
    send({ type: 'scrape', request })
  })
  scrapes.delete(request)
  return text ?? registry.metrics()
}
