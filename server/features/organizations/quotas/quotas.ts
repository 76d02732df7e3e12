import type { InputOf } from '../../../../contract/endpoint.ts'
import { quotas as endpoints } from '../../../../contract/organizations/quotas.ts'
import { QUOTA_NAMES, QUOTAS } from '../../../../contract/quotas.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { onTransactionEnd } from '../../../database/transaction.ts'
import { handle } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import type { QuotaState } from '../../../metering/quotas.ts'
import { setOverride } from '../../../metering/usage-queries.ts'

/** An organization's quotas and usage; operators can change them. */
export const quotas: Feature = {
  routes: [
    handle(endpoints.list, listQuotas),
    handle(endpoints.listOf, listQuotasOf),
    handle(endpoints.update, updateQuotas),
  ],
}

async function listQuotas({ quotas, sql, caller, now }: Context<'quotas'>) {
  return { items: (await quotas.list(sql, caller.orgId, now())).map(present) }
}

async function listQuotasOf(ctx: Context<'quotas'>, { id }: InputOf<typeof endpoints.listOf>) {
  const organization = (await findOrganization(ctx.sql, id)) ?? raise(notFound('Organization'))
  return presentAll(ctx, organization)
}

/** Belongs to the organization, so its admins see who changed its limits. */
async function updateQuotas(ctx: Context<'quotas'>, { id, ...limits }: InputOf<typeof endpoints.update>) {
  const { caller, now } = ctx
  const organization = await ctx.transaction(async (inside) => {
    const locked = (await lockOrganization(inside.sql, id)) ?? raise(notFound('Organization'))
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

async function presentAll(
  { quotas, sql, now }: Context<'quotas'>,
  organization: { id: string; name: string },
) {
  const items = (await quotas.list(sql, organization.id, now())).map(present)
  return { organization, items }
}

function present({ name, ...state }: QuotaState) {
  const { label, unit, description } = QUOTAS[name]
  return { name, label, unit, description, ...state }
}

// Operators work across organizations, so these statements have no tenant.
async function findOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from organizations where id = ${id}`
  return row ?? null
}

async function lockOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${id} for no key update`
  return row ?? null
}
