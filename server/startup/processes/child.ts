import cluster from 'node:cluster'
import type { Config } from '../../config/config.ts'
import { StartupError } from '../../errors.ts'
import { createLog, flushLog } from '../../log.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { openDataFolder } from '../data-folder.ts'
import { serve } from '../serve.ts'
import type { FromChild, ToChild } from './messages.ts'

const SCRAPE_MS_MAX = 10_000

/** One of the processes that share a port. The main process tells it when to start and to stop. */
export async function startChild(config: Config): Promise<void> {
  // A terminal signals the whole group, and the main process decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const { connection, isFirst, ...options } = await receiveStart()
  const log = await createLog(config.logLevel)
  const scrapes = new Map<number, (text: string) => void>()
  const served = await serve({
    ...{ config, connection, log, secret: await openDataFolder(config) },
    ...options,
    readMetrics: (own) => scrapeAll(own, scrapes),
  })
  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    await served.close().catch((err: unknown) => log.error({ err }, 'shutdown failed'))
    await flushLog(log)
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  // The main process was killed.
  process.on('disconnect', () => void stop())
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') void stop()
    else if (message.type === 'measure') void answer(message.request)
    else if (message.type === 'metrics') scrapes.get(message.request)?.(message.text)
  })

  async function answer(request: number): Promise<void> {
    const metrics = await served.metrics.registry.getMetricsAsJSON()
    send({ type: 'measured', request, metrics })
  }

  send({ type: 'ready', banner: isFirst ? await served.banner() : null })
}

const send = (message: FromChild): void => {
  if (process.connected) process.send!(message)
}

function receiveStart(): Promise<Extract<ToChild, { type: 'start' }>> {
  return new Promise((resolve, reject) => {
    process.once('message', (message: ToChild) => {
      if (message.type === 'start') resolve(message)
      else reject(new StartupError('The main process stopped'))
    })
    process.once('disconnect', () => reject(new StartupError('The main process ended')))
    if (!cluster.worker?.isConnected()) reject(new StartupError('The main process ended'))
  })
}

let lastRequest = 0

/** Its own, if the main process doesn't answer. */
async function scrapeAll(
  { registry }: Metrics,
  scrapes: Map<number, (text: string) => void>,
): Promise<string> {
  const request = ++lastRequest
  const text = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(resolve, SCRAPE_MS_MAX, null)
    scrapes.set(request, (text) => {
      clearTimeout(timer)
      resolve(text)
    })
    send({ type: 'scrape', request })
  })
  scrapes.delete(request)
  return text ?? registry.metrics()
}
