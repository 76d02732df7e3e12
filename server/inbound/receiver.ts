import type { PublicContext } from '../context.ts'
import type { Secret, SignatureScheme } from '../signatures/scheme.ts'
import type { SignedRequest } from '../signatures/signed-request.ts'
import type { Verdict } from '../signatures/verify.ts'

/** An endpoint of a tenant that third parties send events to. */
export interface Receiver {
  orgId: string
  id: string
  source: string
  /** Changes with everything that receiving depends on. */
  version: number
  isDisabled: boolean
  /** The schemes that this receiver accepts; a sender cannot choose another scheme. */
  schemes: readonly SignatureScheme[]
  /** The secrets that are valid at a time. */
  secrets: (now: Date) => readonly Secret[]
  /** Verifies requests that no scheme describes. Returns why a request is refused; null if it is verified. */
  verify?: (request: SignedRequest, now: Date) => Promise<Verdict['reason']>
}

const ENTRIES_MAX = 1000

/**
 * Receivers as they were last read, so that receiving costs one round trip: the statement that stores an event also
 * checks the version of its receiver, and a receiver of another version is read again. No decision depends on the cache
 * alone.
 */
export function createReceiverCache<R extends Receiver>(
  load: (ctx: PublicContext<'outbound' | 'vault'>, id: string) => Promise<R | null>,
) {
  const entries = new Map<string, R>()

  return {
    async find(
      ctx: PublicContext<'outbound' | 'vault'>,
      id: string,
      { fresh }: { fresh: boolean },
    ): Promise<R | null> {
      const cached = fresh ? undefined : entries.get(id)
      if (cached) return cached
      const receiver = await load(ctx, id)
      entries.delete(id)
      if (!receiver) return null
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!)
      entries.set(id, receiver)
      return receiver
    },
  }
}
