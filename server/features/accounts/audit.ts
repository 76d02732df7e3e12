import type { Caller, PublicContext } from '../../context.ts'
import { newId } from '../../security/ids.ts'

type Action = 'setup' | 'sign-in' | 'sign-out' | 'step-up' | 'api-key.created' | 'api-key.revoked'

interface Act {
  action: Action
  /** Who did it and in which organization; taken from the caller where there is one. */
  by: Pick<Caller, 'orgId' | 'userId'> & { via: Caller['via'] | 'system' }
  target?: string
}

/** Writes down an act of consequence, on the transaction of the act itself. */
export async function recordAct(ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>, act: Act): Promise<void> {
  const { orgId, userId, via } = act.by
  await ctx.sql`
    insert into audit (org_id, id, user_id, via, action, target, address, created_at)
    values (${orgId}, ${newId()}, ${userId}, ${via}, ${act.action}, ${act.target ?? null}, ${ctx.origin.address},
      ${ctx.now()})`
}
