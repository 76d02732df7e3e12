import type { InputOf } from '../../../../contract/endpoint.ts'
import type { operatedOrganizations } from '../../../../contract/organizations/operated.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { publishIn } from '../../../events/publish.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { close, reopen } from '../suspensions/suspensions.ts'
import { readOrganization } from './read.ts'

type Deps = Pick<PublicContext, 'sql' | 'now' | 'origin' | 'transaction' | 'suspensions'>

/** An operator in the dashboard, or the command line. */
interface Operator {
  userId: string | null
  via: Caller['via'] | 'system'
}

export async function suspendOrganization(
  ctx: Context,
  { id, reason }: InputOf<typeof operatedOrganizations.suspend>,
) {
  await suspend(ctx, id, { reason, by: ctx.caller })
  return readOrganization(ctx, id)
}

export async function resumeOrganization(ctx: Context, { id }: InputOf<typeof operatedOrganizations.resume>) {
  await resume(ctx, id, ctx.caller)
  return readOrganization(ctx, id)
}

export async function suspend(
  ctx: Deps,
  orgId: string,
  { reason, by }: { reason: string; by: Operator },
): Promise<void> {
  await ctx.transaction(async (inside) => {
    const name = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    const now = ctx.now()
    await recordAudit(inside, {
      action: 'organization.suspended',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
      details: { reason },
    })
    await publishIn(inside.sql, orgId, now, {
      type: 'organization.suspended',
      data: { organizationId: orgId },
    })
    await close(
      inside,
      orgId,
      { kind: 'operator', reason, by: by.userId },
      {
        id: `suspended-${orgId}-${now.getTime()}`,
        subject: textWithNames`${name} was suspended`,
        text: `An operator of the server suspended the organization ${name}.\n\nReason: ${reason}\n\nMembers, API keys and share links have no access until it is resumed. Runs, schedules and deliveries wait. The suspension deletes no data.`,
      },
    )
  })
  await ctx.suspensions.refresh()
}

export async function resume(ctx: Deps, orgId: string, by: Operator): Promise<void> {
  await ctx.transaction(async (inside) => {
    const name = (await lockOrganizationRow(inside.sql, orgId)) ?? raise(notFound('Organization'))
    const now = ctx.now()
    const isReopened = await reopen(inside, orgId, 'operator', {
      id: `resumed-${orgId}-${now.getTime()}`,
      subject: textWithNames`${name} was resumed`,
      text: `An operator of the server resumed the organization ${name}. Pending work continues.`,
    })
    if (!isReopened) throw conflict('The organization is not suspended')
    await recordAudit(inside, {
      action: 'organization.resumed',
      by: { orgId, userId: by.userId, via: by.via },
      target: orgId,
    })
    await publishIn(inside.sql, orgId, now, { type: 'organization.resumed', data: { organizationId: orgId } })
  })
  await ctx.suspensions.refresh()
}
