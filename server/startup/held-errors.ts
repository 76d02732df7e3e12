import type { LogFn } from 'pino'

/** By then the embedded PostgreSQL's guard knows whether it died or recovers. */
const HOLD_MS = 3000

const LOST =
  /terminating connection|connection (error|terminated|reset)|CONNECTION_(CLOSED|ENDED)|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|the database system is/i

/**
 * When the embedded PostgreSQL dies, every connection fails at once, and dozens of stacks would bury the line that says
 * why. `discard` drops them once that line is written.
 */
export function createHeldErrors() {
  let held: (() => void)[] = []
  let isDiscarding = false
  let timer: NodeJS.Timeout | undefined
  const release = () => {
    const lines = held
    held = []
    timer = undefined
    for (const write of lines) write()
  }
  const hold = (log: unknown, args: Parameters<LogFn>, method: LogFn): void => {
    const write = () => method.apply(log as never, args)
    const { err } = (args[0] ?? {}) as { err?: { message?: string; code?: string } }
    if (!err || !LOST.test(`${err.code} ${err.message}`)) {
      write()
      return
    }
    if (isDiscarding) return
    held.push(write)
    timer ??= setTimeout(release, HOLD_MS).unref()
  }
  return {
    hooks: {
      logMethod(this: unknown, args: Parameters<LogFn>, method: LogFn): void {
        hold(this, args, method)
      },
    },
    discard() {
      isDiscarding = true
      held = []
      clearTimeout(timer)
    },
  }
}
