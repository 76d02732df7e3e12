import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { removeSignInMethod } from '../sign-in/sign-in-methods.ts'
import { deleteIdentity } from './identity-queries.ts'

export async function unlinkIdentity(ctx: Context, { id }: InputOf<typeof security.unlinkIdentity>) {
  await removeSignInMethod(ctx, async (inside) => {
    const deleted = await deleteIdentity(inside.sql, ctx.caller.userId, id)
    const { provider, email } = deleted ?? raise(notFound('Linked account'))
    const details = { provider, ...(email && { email }) }
    await recordAudit(inside, { action: 'identity.unlinked', by: ctx.caller, target: id, details })
  })
  return { unlinked: true as const }
}
