import type { z } from 'zod'
import type { Mandate, mandates } from '../../../../../contract/billing/mandates.ts'
import type { MandateHolder } from '../../../../../contract/billing/payment-options.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { isKeyActive, listKeyNames } from '../../../accounts/api-keys/api-keys.ts'
import { listAgentNames } from '../../../agents/agents/agents.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'
import { inCurrency } from '../records.ts'
import type { MandateRow } from './mandate-queries.ts'
import * as queries from './mandate-queries.ts'

/** Not paged. */
const LISTED_MAX = 500

export async function listMandates(ctx: Context) {
  const now = ctx.now()
  const rows = await queries.listMandates(ctx.sql, ctx.caller.orgId, now, LISTED_MAX)
  return { items: await presentAll(ctx, rows, now) }
}

export const createMandate = (ctx: Context, input: InputOf<typeof mandates.create>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId, userId } = caller
    const { holder, holderId, currency, perPayment, perDay, total } = input
    const now = ctx.now()
    if (!(await hasHolder(sql, caller, holder, holderId)))
      throw badField(
        'body.holderId',
        `names no ${holder === 'key' ? 'API key' : holder} in this organization`,
      )
    const expiresAt = input.expiresAt && new Date(input.expiresAt).toISOString()
    if (expiresAt && new Date(expiresAt) <= now) throw badField('body.expiresAt', 'must be in the future')
    const id = newId()
    const row = { ...input, id, expiresAt, createdBy: userId, now }
    await queries.insertMandate(sql, orgId, row)
    if ((await queries.countActive(sql, orgId)) > LISTED_MAX)
      throw conflict(`The organization has ${LISTED_MAX} mandates: revoke one first`)
    const details = {
      holder,
      holderId,
      currency,
      perPayment,
      perDay: perDay ?? 'none',
      total: total ?? 'none',
    }
    await recordAudit(inside, { action: 'mandate.created', by: caller, target: id, details })
    const [created] = await presentAll(inside, [(await queries.findMandate(sql, orgId, id, now))!], now)
    return created!
  })

export const revokeMandate = (ctx: Context, { id }: InputOf<typeof mandates.revoke>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const now = ctx.now()
    const [revoked] = await queries.revokeMandate(sql, caller.orgId, id, caller.userId, now)
    const row = (await queries.findMandate(sql, caller.orgId, id, now)) ?? raise(notFound('Mandate'))
    if (revoked) {
      const details = { holder: row.holder, holderId: row.holderId }
      await recordAudit(inside, { action: 'mandate.revoked', by: caller, target: id, details })
    }
    const [presented] = await presentAll(inside, [row], now)
    return presented!
  })

async function presentAll(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  rows: readonly queries.MandateRow[],
  now: Date,
): Promise<z.output<typeof Mandate>[]> {
  const names = await listHolderNames(sql, caller, rows)
  return rows.map((row) => present(row, names.get(row.holderId) ?? null, now))
}

const present = (row: queries.MandateRow, holderName: string | null, now: Date): z.output<typeof Mandate> => {
  const { currency, perDay, total, expiresAt, revokedAt } = row
  const isExpired = expiresAt !== null && new Date(expiresAt) <= now
  return {
    ...row,
    holderName,
    perPayment: inCurrency(row.perPayment, currency),
    perDay: perDay && inCurrency(perDay, currency),
    total: total && inCurrency(total, currency),
    spent: inCurrency(row.spent, currency),
    spentToday: inCurrency(row.spentToday, currency),
    state: revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
  }
}

interface NamedHolder {
  id: string
  name: string
}

/** One statement per kind rather than per row. */
async function listHolderNames(
  sql: Sql,
  caller: Caller,
  mandates: readonly Pick<MandateRow, 'holder' | 'holderId'>[],
): Promise<Map<string, string>> {
  const { orgId } = caller
  const idsOf = (kind: MandateHolder) =>
    mandates.filter(({ holder }) => holder === kind).map(({ holderId }) => holderId)
  const found = await Promise.all([
    listKeyNames(sql, orgId, idsOf('key')),
    listAgentNames(sql, orgId, idsOf('agent')),
    sql<NamedHolder[]>`
      select named.id, named.name from projects named
      where named.org_id = ${orgId} and named.id = any(${idsOf('project')}::uuid[])
        and ${isProjectVisible(sql, caller, sql`named.id`)}`,
  ])
  return new Map(found.flatMap((rows) => rows.map(({ id, name }) => [id, name] as const)))
}

async function hasHolder(sql: Sql, caller: Caller, holder: MandateHolder, id: string): Promise<boolean> {
  const { orgId } = caller
  if (holder === 'key') return isKeyActive(sql, orgId, id)
  if (holder === 'agent') return (await listAgentNames(sql, orgId, [id])).length > 0
  const rows = await sql`
    select from projects named where named.org_id = ${orgId} and named.id = ${id} and named.deleted_at is null
      and ${isProjectVisible(sql, caller, sql`named.id`)}`
  return rows.length > 0
}
