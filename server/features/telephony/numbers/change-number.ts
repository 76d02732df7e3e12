import type { AuditAction } from '../../../../contract/audit-actions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { phoneNumbers } from '../../../../contract/telephony/phone-numbers.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { publicBase } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { numberReleased } from './background.ts'
import { findNumber, type NumberRow, updateNumber, updateReleased } from './queries.ts'
import { readNumber } from './read-numbers.ts'
import { refreshNumber } from './refresh-number.ts'
import { shownBase } from './webhooks.ts'

export async function changeNumber(
  options: TelephonyOptions,
  ctx: Context,
  { id, label, projectId, settings = {} }: InputOf<typeof phoneNumbers.update>,
) {
  await ctx.transaction(async (inside) => {
    const row = await requireInUse(inside, id)
    const changed = {
      label: label === undefined ? row.label : label,
      projectId: projectId === undefined ? row.projectId : (await findProject(inside, projectId, 'edit')).id,
      settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
      now: ctx.now(),
    }
    const rows = await updateNumber(inside.sql, ctx.caller.orgId, id, changed)
    if (rows.length === 0) throw notFound('Phone number')
    await audit(inside, 'phone-number.updated', row)
  })
  return readNumber(options, ctx, id)
}

export async function checkNumber(
  options: TelephonyOptions,
  ctx: Context<'outbound' | 'vault'>,
  { id }: InputOf<typeof phoneNumbers.check>,
) {
  await readNumber(options, ctx, id)
  const row = await requireInUse(ctx, id)
  const refreshed = await refreshNumber(options, ctx, row, { base: shownBase(options, ctx), setsUrls: false })
  if (!refreshed.ok) throw unreachable(refreshed.message)
  return readNumber(options, ctx, id)
}

export async function repairNumber(
  options: TelephonyOptions,
  ctx: Context<'outbound' | 'vault'>,
  { id }: InputOf<typeof phoneNumbers.repair>,
) {
  const row = await requireInUse(ctx, id)
  const base = publicBase(options, ctx)
  const refreshed = await refreshNumber(options, ctx, row, { base, setsUrls: true })
  if (!refreshed.ok) throw unreachable(refreshed.message)
  await audit(ctx, 'phone-number.repaired', row)
  return readNumber(options, ctx, id)
}

/** A job removes the URLs at the carrier, with retries. */
export async function releaseNumber(ctx: Context, { id }: InputOf<typeof phoneNumbers.release>) {
  const { orgId } = ctx.caller
  await ctx.transaction(async (inside) => {
    const row = await findNumber(inside.sql, orgId, id)
    if (!row) throw notFound('Phone number')
    if (!(await updateReleased(inside.sql, orgId, id, ctx.now()))) return
    await inside.enqueue(numberReleased, { orgId, id })
    await audit(inside, 'phone-number.released', row)
  })
  return { released: true as const }
}

async function requireInUse({ sql, caller }: Context, id: string): Promise<NumberRow> {
  const row = await findNumber(sql, caller.orgId, id)
  if (!row || row.status === 'released') throw notFound('Phone number')
  return row
}

const unreachable = (message: string) =>
  new ApiError('PROVIDER_ERROR', `The request to Twilio failed: ${message}`)

const audit = (
  ctx: Context,
  action: Extract<AuditAction, `phone-number.${string}`>,
  { id, e164 }: NumberRow,
) => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name: e164 } })
