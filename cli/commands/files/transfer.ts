import { ApiFailure } from '../../../client/client.ts'
import { Failure } from '../../failure.ts'

/** A transfer without a byte for this long has failed. */
const STALL_MS = 120_000

/** `restart` is called when the transfer starts over. */
export interface Meter {
  advance: (bytes: number) => void
  restart: () => void
}

/** A stall ends the attempt. A network error counts as unreachable; a local file error has its own message. */
export async function attempt<T>(
  server: string,
  signal: AbortSignal,
  meter: Meter,
  work: (attemptSignal: AbortSignal, onBytes: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const stallController = new AbortController()
  const timer = setTimeout(() => stallController.abort(), STALL_MS)
  const onBytes = (bytes: number) => {
    timer.refresh()
    meter.advance(bytes)
  }
  meter.restart()
  try {
    return await work(AbortSignal.any([signal, stallController.signal]), onBytes)
  } catch (error) {
    signal.throwIfAborted()
    throw asFailure(error, server)
  } finally {
    clearTimeout(timer)
  }
}

/** File errors have a path or a disk error code; network errors have neither. */
function asFailure(error: unknown, server: string): Error {
  const chain = [error, (error as Error)?.cause]
  const failure = chain.find((candidate) => candidate instanceof Failure || candidate instanceof ApiFailure)
  if (failure) return failure as Error
  const fileError = chain.find(isFileError)
  if (fileError) return new Failure('failed', fileError.message)
  return new ApiFailure(0, { message: `${server} cannot be reached` })
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { path, code } = error as NodeJS.ErrnoException
  return path !== undefined || /^E(NOSPC|DQUOT|IO|FBIG|ISDIR)$/.test(String(code))
}
