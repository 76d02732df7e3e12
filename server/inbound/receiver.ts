import type { PublicContext } from '../context.ts'
import type { Secret, SignatureScheme } from '../signatures/scheme.ts'
import type { SignedRequest } from '../signatures/signed-request.ts'
import type { Verdict } from '../signatures/verify.ts'

export interface Receiver {
  orgId: string
  id: string
  source: string
  /** Changes with everything receiving depends on. */
  version: number
  isDisabled: boolean
  /** A sender can't choose any other scheme. */
  schemes: readonly SignatureScheme[]
  secrets: (now: Date) => readonly Secret[]
  /** For requests no scheme describes. Null if verified. */
  verify?: (request: SignedRequest, now: Date) => Promise<Verdict['reason']>
}

const ENTRIES_MAX = 1000

/**
 * Receiving takes one round trip: storing an event checks its receiver's version, and a mismatch rereads it. No
 * decision depends on the cache alone.
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
