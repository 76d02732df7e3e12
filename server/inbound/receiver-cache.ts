import type { PublicContext } from '../context.ts'
import type { Receiver } from './receiver.ts'

const ENTRIES_MAX = 1000

/**
 * Receivers as they were last read, so that receiving costs one round trip: the statement that stores an event also
 * checks the version of its receiver, and a receiver of another version is read again. No decision depends on the cache
 * alone.
 */
export function createReceiverCache<R extends Receiver>(
  load: (ctx: PublicContext, id: string) => Promise<R | null>,
) {
  const entries = new Map<string, R>()

  return {
    async find(ctx: PublicContext, id: string, { fresh }: { fresh: boolean }): Promise<R | null> {
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
