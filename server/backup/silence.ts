import { StartupError } from '../errors.ts'

/** Sorting millions of object keys takes a minute or two. Nothing healthy is silent for longer. */
export const SILENCE_MS = 10 * 60_000

export interface Patience {
  signal: AbortSignal
  /** How long a step may make no progress. */
  silenceMs: number
}

interface Step {
  signal: AbortSignal
  /** Reports progress and restarts the timer. */
  pulse: () => void
}

/** Fails with the step's name if it makes no progress for too long, even if the work ignores its signal. */
export async function withSilenceLimit<T>(
  /** Such as `Copying the table public.files`. */
  name: string,
  { signal, silenceMs }: Patience,
  work: (step: Step) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const step = new AbortController()
  const ended = Promise.withResolvers<never>()
  step.signal.addEventListener('abort', () => ended.reject(step.signal.reason))
  const forward = () => step.abort(signal.reason)
  signal.addEventListener('abort', forward)
  const timer = setTimeout(() => step.abort(silenceError(name, silenceMs)), silenceMs)
  try {
    return await Promise.race([
      work({ signal: step.signal, pulse: () => void timer.refresh() }),
      ended.promise,
    ])
  } catch (error) {
    // An aborted step's streams fail with their own errors.
    throw step.signal.aborted ? step.signal.reason : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', forward)
  }
}

const silenceError = (name: string, silenceMs: number) =>
  new StartupError(
    `${name} made no progress for ${silenceMs >= 60_000 ? `${Math.round(silenceMs / 60_000)} minutes` : `${silenceMs / 1000} seconds`}. ` +
      'Check that PostgreSQL, the file storage and the disk respond, and that no session holds a lock (pg_locks).',
  )
