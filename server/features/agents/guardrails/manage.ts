import type { z } from 'zod'
import { guardrailConfigs, type guardrails } from '../../../../contract/agents/guardrails.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { requireRole } from '../../../endpoint/permit.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, badField, notFound, raise, stale } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { InvalidPattern } from '../../../security/re2-pattern.ts'
import { requireEditor } from '../../organizations/membership/membership.ts'
import { compileRule } from './active-rules.ts'
import type { GuardrailRow } from './queries.ts'
import * as queries from './queries.ts'

export async function listGuardrails(ctx: Context) {
  return { items: await queries.listGuardrails(ctx.sql, ctx.caller.orgId) }
}

export async function getGuardrail(ctx: Context, { id }: InputOf<typeof guardrails.get>) {
  const row = await findGuardrail(ctx, id)
  return reply(row, { version: row.version })
}

export const findGuardrail = async (ctx: Context, id: string) =>
  (await queries.findGuardrail(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Guardrail'))

export async function createGuardrail(ctx: Context<'quotas'>, input: InputOf<typeof guardrails.create>) {
  const { orgId, userId } = ctx.caller
  const { idempotencyKey: _, ...settings } = input as typeof input & { idempotencyKey?: string }
  requireValid(settings)
  await requireManager(ctx, settings)
  const guardrail = { ...settings, id: newId(), createdBy: userId, now: ctx.now() }
  return ctx.transaction(async (inside) => {
    const row = await queries.insertGuardrail(inside.sql, orgId, guardrail)
    await ctx.quotas.requireWithin(inside.sql, orgId, 'guardrails', ctx.now())
    await record(inside, 'guardrail.created', row)
    return row
  })
}

export const updateGuardrail = (ctx: Context, input: InputOf<typeof guardrails.update>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const { id, ifMatch, ...change } = input
    const before = (await queries.lockGuardrail(inside.sql, orgId, id)) ?? raise(notFound('Guardrail'))
    await requireManager(inside, before, change)
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    const after = {
      name: change.name ?? before.name,
      on: change.on ?? before.on,
      action: change.action ?? before.action,
      config: change.config === undefined ? before.config : parseConfig(before.kind, change.config),
      everywhere: change.everywhere ?? before.everywhere,
      enabled: change.enabled ?? before.enabled,
    }
    requireValid({ ...after, kind: before.kind })
    const row = await queries.updateGuardrail(inside.sql, orgId, id, after, ctx.now())
    await record(inside, 'guardrail.updated', row)
    return reply(row, { version: row.version })
  })

export const deleteGuardrail = (ctx: Context, { id }: InputOf<typeof guardrails.remove>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const row = (await queries.lockGuardrail(inside.sql, orgId, id)) ?? raise(notFound('Guardrail'))
    await requireManager(inside, row)
    await queries.deleteGuardrail(inside.sql, orgId, id)
    await record(inside, 'guardrail.deleted', row)
    return { deleted: true as const }
  })

async function requireManager(
  ctx: Context,
  ...states: { everywhere?: boolean | undefined }[]
): Promise<void> {
  await requireEditor(ctx, 'guardrails')
  if (states.some(({ everywhere }) => everywhere)) requireRole('admin', ctx.caller)
}

const record = (
  ctx: Context,
  action: 'guardrail.created' | 'guardrail.updated' | 'guardrail.deleted',
  { id, name, on, action: effect, enabled, everywhere }: GuardrailRow,
) => {
  const details = {
    name,
    rule: `${effect} on ${on}`,
    enabled: String(enabled),
    everywhere: String(everywhere),
  }
  return recordAudit(ctx, { action, by: ctx.caller, target: id, details })
}

/** A stored rule's kind never changes. */
function parseConfig(kind: GuardrailRow['kind'], config: object): GuardrailRow['config'] {
  const schema: z.ZodType<GuardrailRow['config']> = guardrailConfigs[kind]
  const parsed = schema.safeParse(config)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: ['body.config', ...path].join('.'),
    message,
  }))
  throw new ApiError('BAD_REQUEST', `${details[0]!.path} ${details[0]!.message}`, { details })
}

type Rule = Pick<GuardrailRow, 'name' | 'kind' | 'on' | 'action' | 'config' | 'everywhere' | 'enabled'>

/** Throws if the rule can't work. `field` is the rule's path in the request. */
export function requireValid(rule: Pick<Rule, 'kind' | 'on' | 'action' | 'config'>, field = 'body'): void {
  if (rule.kind === 'model' && rule.action === 'redact')
    throw badField(`${field}.action`, 'must be block or flag: a model judges the whole text')
  try {
    compileRule({ id: '', name: '', version: 0, everywhere: false, enabled: true, ...rule })
  } catch (error) {
    if (error instanceof InvalidPattern) throw badField(`${field}.config.pattern`, error.message)
    throw error
  }
}
