import type { PublicContext } from '../../../context.ts'
import type { Secret } from '../../../signatures/verify.ts'
import { knownSecretsOf } from '../secrets.ts'
import { findReceiver, listReceiversOf, type ReceiverRow } from './receive-queries.ts'

/** What receiving depends on. */
export interface Receiver extends Pick<ReceiverRow, 'orgId' | 'id' | 'source' | 'status' | 'version'> {
  /** Those that hold at this time. */
  secrets: (now: Date) => readonly Secret[]
}

export type Receivers = ReturnType<typeof createReceivers>

const KEPT_MAX = 1000

/**
 * Receivers as they were last seen, so that receiving costs one round trip: the statement that keeps an event also
 * checks that the receiver is still the same, and if it is not, it is looked up anew. Nothing is decided by what is
 * remembered here alone.
 */
export function createReceivers() {
  const kept = new Map<string, Receiver>()

  return {
    async find(ctx: PublicContext, id: string, afresh: boolean): Promise<Receiver | null> {
      const known = afresh ? undefined : kept.get(id)
      if (known) return known
      const row = await findReceiver(ctx.sql, id)
      kept.delete(id)
      if (!row) return null
      const receiver = receiverOf(ctx, row)
      if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!)
      kept.set(id, receiver)
      return receiver
    },
    /** Every one that takes what this source sends, wherever it is. */
    listOf: async (ctx: PublicContext, source: string): Promise<Receiver[]> =>
      (await listReceiversOf(ctx.sql, source)).map((row) => receiverOf(ctx, row)),
  }
}

function receiverOf({ vault }: PublicContext, row: ReceiverRow): Receiver {
  const { orgId, id, source, status, version, previousSecretUntil: until } = row
  const isGrace = (now: Date) => until !== null && Date.parse(until) > now.getTime()
  let opened: readonly Secret[] | undefined
  return {
    orgId,
    id,
    source,
    status,
    version,
    // To open them for every request would cost more than all the rest of checking it.
    secrets(now) {
      opened ??= knownSecretsOf(vault, row, now)
      return isGrace(now) ? opened : opened.slice(0, 1)
    },
  }
}
