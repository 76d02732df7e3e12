import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createCoalescedTask } from '../../concurrency/coalesced-task.ts'
import { CHILD, type FromChild, type ToChild } from './messages.ts'
import { createMetricsSum } from './metrics.ts'
import type { Port } from './port.ts'

export type StartOptions = Omit<Extract<ToChild, { type: 'start' }>, 'type' | 'isFirst'>

interface SuperviseOptions {
  count: number
  start: StartOptions
  port: Pick<Port, 'add' | 'remove' | 'accepted' | 'end'>
  log: Logger
  /** Processes keep ending. Called once. */
  onGiveUp: (reason: string) => void
  limits?: Partial<typeof LIMITS>
  /** Replaces the server. For tests. */
  program?: string[]
}

const LIMITS = {
  /** Until a process that ended is replaced. Doubles while replacements fail. */
  pauseMs: 1000,
  pauseMsMax: 30_000,
  /** Replacements don't migrate. */
  startMsMax: 120_000,
  /** Requests, jobs and streams end by then: a process that still runs is stuck. */
  stopMsMax: 75_000,
  /** Every process is asked this often whether it still works. */
  askMs: 3000,
  /** Questions in a row without an answer: the process hangs. Counts, because time also passes while a machine sleeps. */
  unansweredMax: 10,
  /** More than this many in the window: a restart doesn't help. */
  endsMax: 10,
  endsWindowMs: 60_000,
}

/** A process ended before it was ready, and has written why. */
export class ChildFailed extends Error {}

type State = 'starting' | 'ready' | 'leaving'

/** Starts processes that share the port, and replaces those that end. */
export function supervise({ count, start, port, log, onGiveUp, ...options }: SuperviseOptions) {
  const limits = { ...LIMITS, ...options.limits }
  const [file, ...args] = options.program ?? [process.argv[1]!, CHILD]
  const children = new Map<ChildProcess, State>()
  const unanswered = new Map<ChildProcess, number>()
  const metrics = createMetricsSum()
  const restarts = createCoalescedTask(restart, (err) =>
    log.error({ err }, 'the restart stopped: the other processes continue'),
  )
  /** A restart has started its successor already. */
  let replaced: ChildProcess | null = null
  let isStopping = false
  let failures = 0
  let ends: number[] = []

  const asking = setInterval(() => {
    for (const child of inState('ready')) ask(child)
  }, limits.askMs).unref()

  const inState = (wanted: State) =>
    [...children].flatMap(([child, state]) => (state === wanted ? [child] : []))

  /** Resolves when the process is ready, with its banner; never after a stop. */
  function open(isFirst: boolean): Promise<string | null> {
    const ready = Promise.withResolvers<string | null>()
    const child = fork(file!, args)
    children.set(child, 'starting')
    const timer = isFirst ? undefined : setTimeout(() => kill(child), limits.startMsMax)
    const onEnd = (reason: string) => {
      clearTimeout(timer)
      const state = children.get(child)
      children.delete(child)
      unanswered.delete(child)
      port.end(child)
      if (isStopping || state === undefined || state === 'leaving') return
      metrics.retire(child)
      const pid = child.pid
      if (state === 'starting')
        ready.reject(new ChildFailed(`process ${pid} ended before it was ready (${reason})`))
      else {
        log.error({ child: pid, reason }, 'a process ended: another one replaces it')
        countEnd()
        if (child !== replaced) void replace()
      }
    }
    child.on('message', (message: FromChild) => {
      if (message.type === 'scrape') void answerScrape(child, message.request)
      if (message.type === 'works') unanswered.set(child, 0)
      if (message.type === 'accepted') port.accepted(child, message.connection)
      if (message.type === 'leaving') leave(child)
      if (message.type !== 'ready' || children.get(child) !== 'starting') return
      clearTimeout(timer)
      children.set(child, 'ready')
      port.add(child)
      log.info({ child: child.pid }, 'a process is ready')
      failures = 0
      ready.resolve(message.banner)
    })
    child.on('exit', (code, signal) => onEnd(signal ?? `code ${code}`))
    child.on('error', (err) => {
      log.warn({ err, child: child.pid }, 'could not reach a process')
      // It was never started, so it doesn't end.
      if (child.pid === undefined) onEnd(err.message)
    })
    const isOnlyProcess = start.isOnlyProcess && isFirst
    tell(child, { type: 'start', ...start, isOnlyProcess, isFirst })
    return ready.promise
  }

  async function replace(): Promise<void> {
    for (;;) {
      await sleep(Math.min(limits.pauseMs * 2 ** failures, limits.pauseMsMax))
      if (isStopping) return
      try {
        await open(false)
        return
      } catch (err) {
        log.error({ err }, 'a process could not be replaced')
        if (inState('ready').length > 0) failures++
        else countEnd()
      }
    }
  }

  function countEnd(): void {
    const now = performance.now()
    ends = [...ends.filter((at) => at > now - limits.endsWindowMs), now]
    if (ends.length <= limits.endsMax || isStopping) return
    isStopping = true
    onGiveUp(`${ends.length} processes ended within ${limits.endsWindowMs / 1000} seconds. The log says why.`)
  }

  /** Each replacement is ready before its predecessor stops. */
  async function restart(): Promise<void> {
    log.info('restarting every process, one after the other')
    for (const child of inState('ready')) {
      if (isStopping) return
      if (children.get(child) !== 'ready') continue
      replaced = child
      try {
        await open(false)
        await metrics.measure(child)
        await close(child, true)
      } catch (error) {
        if (children.get(child) !== 'ready') void replace()
        throw error
      } finally {
        replaced = null
      }
    }
    if (!isStopping) log.info('every process was restarted')
  }

  /** Somebody asked it to end. */
  function leave(child: ChildProcess): void {
    if (isStopping || children.get(child) !== 'ready') return
    log.warn({ child: child.pid }, 'a process was asked to end: another one replaces it')
    void close(child, true)
    if (child !== replaced) void replace()
  }

  async function close(child: ChildProcess, isReplaced: boolean): Promise<void> {
    if (!children.has(child)) return
    children.set(child, 'leaving')
    port.remove(child)
    metrics.retire(child)
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(() => kill(child), limits.stopMsMax)
    tell(child, { type: 'stop', isReplaced })
    await exited
    clearTimeout(timer)
  }

  /** Another process gets the connections that a killed one has not taken. */
  function ask(child: ChildProcess): void {
    const questions = unanswered.get(child) ?? 0
    if (questions >= limits.unansweredMax) {
      kill(child, 'a process hangs: it is killed')
      return
    }
    unanswered.set(child, questions + 1)
    tell(child, { type: 'ask' })
  }

  function kill(child: ChildProcess, reason = 'a process did not start or stop in time: it is killed'): void {
    log.error({ child: child.pid }, reason)
    child.kill('SIGKILL')
  }

  async function answerScrape(child: ChildProcess, request: number): Promise<void> {
    tell(child, { type: 'metrics', request, text: await metrics.read(inState('ready')) })
  }

  return {
    /** The first one migrates. Returns its banner. */
    async start(): Promise<string> {
      const banner = await open(true)
      await Promise.all(Array.from({ length: count - 1 }, () => open(false)))
      return banner!
    },
    /** Replaces every process. */
    restart: (): void => restarts.schedule(),
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(asking)
      await Promise.all([...children.keys()].map((child) => close(child, false)))
    },
  }
}

function tell(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message)
}
