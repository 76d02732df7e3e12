import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import type { FromChild, ToChild } from './messages.ts'

type Start = Omit<Extract<ToChild, { type: 'start' }>, 'type' | 'isFirst'>

interface SuperviseOptions {
  count: number
  start: Start
  log: Logger
}

/** Until a process that died is replaced. Doubles while replacements die before they are ready. */
const PAUSE_MS = 1000
const PAUSE_MS_MAX = 30_000
const MEASURE_MS_MAX = 5000

/** A process ended before it was ready, and has said why. */
export class ChildFailed extends Error {}

/**
 * Starts processes that share the port: the operating system's connections are handed to them in turn. Replaces one that
 * dies, and restarts them one after the other without refusing a connection.
 */
export async function supervise({ count, start, log }: SuperviseOptions) {
  const children = new Set<Worker>()
  let isStopping = false
  let failures = 0
  let restarting: Promise<void> = Promise.resolve()

  /** Resolves with its banner when it serves. */
  async function open(isFirst: boolean): Promise<string | null> {
    const child = cluster.fork()
    children.add(child)
    const ready = Promise.withResolvers<string | null>()
    let isReady = false
    child.on('message', (message: FromChild) => {
      if (message.type === 'ready') {
        isReady = true
        failures = 0
        ready.resolve(message.banner)
      } else if (message.type === 'scrape') void scrape(child, message.request)
    })
    child.on('exit', (code, signal) => {
      children.delete(child)
      if (!isReady) ready.reject(new ChildFailed(`A process ended before it was ready (${signal ?? code})`))
      else if (!isStopping && !leaving.has(child)) {
        log.error({ pid: child.process.pid, code, signal }, 'a process ended: another one takes its place')
        void replace()
      }
    })
    tell(child, { type: 'start', ...start, isOnlyProcess: start.isOnlyProcess && isFirst, isFirst })
    return ready.promise
  }

  async function replace(): Promise<void> {
    for (;;) {
      await sleep(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MS_MAX))
      if (isStopping) return
      try {
        await open(false)
        return
      } catch {
        failures++
      }
    }
  }

  /** Processes that were told to stop. */
  const leaving = new Set<Worker>()

  async function close(child: Worker): Promise<void> {
    const exited = once(child, 'exit')
    leaving.add(child)
    tell(child, { type: 'stop' })
    if (!child.isDead()) await exited
    leaving.delete(child)
  }

  /** The replacement serves before its predecessor stops. */
  async function restart(): Promise<void> {
    for (const child of [...children]) {
      if (isStopping || !children.has(child)) continue
      try {
        await open(false)
      } catch (err) {
        log.error({ err }, 'the restart stopped: a new process did not start, and the others continue')
        return
      }
      await close(child)
    }
    if (!isStopping) log.info('every process was restarted')
  }

  async function scrape(child: Worker, request: number): Promise<void> {
    const all = await Promise.all([...children].map(measure))
    const parts = all.filter((metrics) => metrics !== null)
    const text = await AggregatorRegistry.aggregate(parts as never).metrics()
    tell(child, { type: 'metrics', request, text })
  }

  const banner = await open(true)
  await Promise.all(Array.from({ length: count - 1 }, () => open(false)))

  return {
    banner: banner!,
    /** One restart at a time. */
    restart(): void {
      restarting = restarting.then(restart)
    },
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...children].map(close))
    },
  }
}

function tell(child: Worker, message: ToChild): void {
  if (child.isConnected()) child.send(message)
}

let lastRequest = 0

/** Null if the process doesn't answer in time. */
async function measure(child: Worker): Promise<object[] | null> {
  const request = ++lastRequest
  return new Promise((resolve) => {
    const end = (metrics: object[] | null) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(metrics)
    }
    const onMessage = (message: FromChild) => {
      if (message.type === 'measured' && message.request === request) end(message.metrics)
    }
    const onExit = () => end(null)
    const timer = setTimeout(onExit, MEASURE_MS_MAX)
    child.on('message', onMessage)
    child.on('exit', onExit)
    tell(child, { type: 'measure', request })
  })
}
