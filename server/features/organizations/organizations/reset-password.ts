import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organization } from '../../../../contract/organizations/organization.ts'
import { auditName, recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { badField, forbidden, notFound, raise } from '../../../errors.ts'
import { issueResetLink } from '../../accounts/accounts/accounts.ts'
import { lockOrganization } from '../membership/membership.ts'
import { findAccountScope, findMember } from './member-queries.ts'

/**
 * For servers that can't send email. The account must belong only to this organization, because an admin could use the
 * link to sign in as the member.
 */
export async function resetPassword(
  ctx: Context<'mail'>,
  { userId }: InputOf<typeof organization.resetPassword>,
) {
  const { caller, mail } = ctx
  if (mail.canSend)
    throw forbidden('This server can send email: the member requests a link on the sign-in page', {
      reason: 'mail_configured',
    })
  return ctx.transaction(async (inside) => {
    const role = await lockOrganization(inside, 'admin')
    const member = (await findMember(inside.sql, caller.orgId, userId)) ?? raise(notFound('Member'))
    if (member.id === caller.userId) throw badField('params.userId', 'must be another member')
    if (member.role === 'owner' && role !== 'owner')
      throw forbidden('Only owners can reset an owner’s password', {
        reason: 'role_required',
        required: 'owner',
      })
    if (!caller.operator) await requireAccountOfThisOrgAlone(inside, member.id)
    const link = await issueResetLink(inside, member.id, caller.userId)
    await recordAudit(inside, {
      action: 'member.password-reset',
      by: caller,
      target: member.id,
      details: auditName(member),
    })
    return link
  })
}

async function requireAccountOfThisOrgAlone({ sql, caller }: Context, userId: string): Promise<void> {
  const { isOperator, isInOtherOrg } = await findAccountScope(sql, caller.orgId, userId)
  if (isOperator) throw forbidden('Only operators can reset an operator’s password', { reason: 'operator' })
  if (isInOtherOrg)
    throw forbidden('This account also belongs to another organization: an operator can reset its password', {
      reason: 'other_organization',
    })
}
