import type { InputOf } from '../../../../contract/endpoint.ts'
import type { quotas } from '../../../../contract/organizations/quotas.ts'
import { QUOTA_NAMES } from '../../../../contract/quotas.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { onTransactionEnd } from '../../../database/transaction.ts'
import { notFound, raise } from '../../../errors.ts'
import { setOverride } from '../../../quotas/usage-queries.ts'
import * as queries from './organization-queries.ts'
import { present } from './usage.ts'

export async function listQuotasOf(ctx: Context, { id }: InputOf<typeof quotas.listOf>) {
  const organization = (await queries.findOrganization(ctx.sql, id)) ?? raise(notFound('Organization'))
  return presentAll(ctx, organization)
}

/** The audit entry belongs to the organization, whose admins see who changed its limits. */
export async function updateQuotas(ctx: Context, { id, ...limits }: InputOf<typeof quotas.update>) {
  const { caller, now } = ctx
  const organization = await ctx.transaction(async (inside) => {
    const locked = (await queries.lockOrganization(inside.sql, id)) ?? raise(notFound('Organization'))
    const before = new Map((await ctx.quotas.list(inside.sql, id, now())).map((quota) => [quota.name, quota]))
    const by = { orgId: id, userId: caller.userId, via: caller.via }
    for (const name of QUOTA_NAMES) {
      const limit = limits[name]
      if (limit === undefined) continue
      const previous = before.get(name)!
      await setOverride(inside.sql, id, name, limit, now())
      const details = { quota: name, from: String(previous.allowed), to: String(limit ?? previous.default) }
      await recordAudit(inside, { action: 'quota.changed', by, target: id, details })
    }
    onTransactionEnd(inside.sql, () => ctx.quotas.forget(id))
    return locked
  })
  return presentAll(ctx, organization)
}

async function presentAll({ quotas, sql, now }: Context, organization: { id: string; name: string }) {
  const items = (await quotas.list(sql, organization.id, now())).map(present)
  return { organization, items }
}
