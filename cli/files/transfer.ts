import { ApiFailure } from '../../client/client.ts'
import { Failure } from '../failure.ts'

/** Without a single byte for so long, the other side is taken to be gone. */
const STALL_MS = 120_000

/** Told of the bytes of one transfer; `restart` when it begins anew. */
export interface Meter {
  advance: (bytes: number) => void
  restart: () => void
}

/**
 * Runs one attempt of a transfer. It ends when the whole run is called off, or when nothing moves any more; what goes
 * wrong on the way counts as unreachable, unless it went wrong on this side.
 */
export async function attempt<T>(
  server: string,
  signal: AbortSignal,
  meter: Meter,
  work: (moving: AbortSignal, moved: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), STALL_MS)
  const moved = (bytes: number) => {
    timer.refresh()
    meter.advance(bytes)
  }
  meter.restart()
  try {
    return await work(AbortSignal.any([signal, stalled.signal]), moved)
  } catch (error) {
    signal.throwIfAborted()
    throw asFailure(error, server)
  } finally {
    clearTimeout(timer)
  }
}

/** What goes wrong with a file names its path, or the disk; what goes wrong with the connection does neither. */
function asFailure(error: unknown, server: string): Error {
  const chain = [error, (error as Error)?.cause]
  const told = chain.find((one) => one instanceof Failure || one instanceof ApiFailure)
  if (told) return told as Error
  const local = chain.find(isLocal)
  if (local) return new Failure('failed', local.message)
  return new ApiFailure(0, { message: `${server} cannot be reached` })
}

function isLocal(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { path, code } = error as NodeJS.ErrnoException
  return path !== undefined || /^E(NOSPC|DQUOT|IO|FBIG|ISDIR)$/.test(String(code))
}
