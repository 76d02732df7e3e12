import type { InputOf } from '../../../contract/endpoint.ts'
import type { security } from '../../../contract/security.ts'
import type { Context } from '../../context.ts'
import { notFound, raise } from '../../errors.ts'
import { recordAct } from './audit.ts'
import { deleteIdentity } from './identity-queries.ts'
import { takeWayIn } from './way-in.ts'

export async function unlinkIdentity(ctx: Context, { id }: InputOf<typeof security.unlinkIdentity>) {
  await takeWayIn(ctx, async (inside) => {
    const gone = await deleteIdentity(inside.sql, ctx.caller.userId, id)
    const { provider, email } = gone ?? raise(notFound('Linked account'))
    const details = { provider, ...(email && { email }) }
    await recordAct(inside, { action: 'identity.unlinked', by: ctx.caller, target: id, details })
  })
  return { unlinked: true as const }
}
