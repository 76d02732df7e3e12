import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { addJob, job } from '../../../jobs/job.ts'
import { type AudioPricing, priceAudio } from '../../../language-models/audio/audio-pricing.ts'
import { newId } from '../../../security/ids.ts'
import {
  type AmountRefusal,
  budgetsChanged,
  describeBudget,
  releaseAmount,
  reserveAmount,
} from '../../billing/budgets/budgets.ts'
import type { VoiceUse } from './voice-models.ts'

/** Longer than any call takes. */
const CALL_MS_MAX = 15 * 60_000

/** Releases a call's reservation if its process ended early. */
export const voiceAbandoned = job('voice.abandoned', z.object({ orgId: z.uuid(), callId: z.uuid() }))

export interface VoiceCall {
  use: VoiceUse
  model: string
  projectId: string
  /** Null before a conversation has one. */
  agentId: string | null
  pricing: AudioPricing | null
  /** Expected before the call. */
  usage: VoiceUsage
  /** In the transaction that enters the cost in the ledger. Null if it's unknown. */
  onCharged?: OnCharged | undefined
}

export type OnCharged = (sql: Sql, amount: string | null) => Promise<unknown>

type VoiceUsage = Parameters<typeof priceAudio>[1] & { characters?: number }

/**
 * Like a run: reserves the cost on every applicable budget before, and enters it in the ledger after. `work` returns
 * what was used; null if the provider charged nothing.
 */
export async function charge<T>(
  ctx: Context,
  call: VoiceCall,
  work: () => Promise<{ value: T; usage: VoiceUsage | null }>,
): Promise<T> {
  const callId = newId()
  await ctx.transaction((inside) => reserve(inside, callId, call))
  let usage: VoiceUsage | null = null
  try {
    const done = await work()
    usage = done.usage
    return done.value
  } finally {
    await ctx.transaction(async (inside) => {
      if (usage) await recordUsage(inside, call, usage)
      await release(inside.sql, ctx.caller.orgId, callId)
    })
  }
}

export const releaseAbandoned = (
  { sql }: { sql: Sql },
  { orgId, callId }: z.output<(typeof voiceAbandoned)['payload']>,
): Promise<void> => release(sql, orgId, callId)

async function reserve({ sql, caller, now }: Context, id: string, call: VoiceCall): Promise<void> {
  const { orgId, userId: createdBy } = caller
  const { projectId, agentId, pricing } = call
  const spender = { orgId, id: null, projectId, agentId, createdBy, keyId: keyOf(caller) }
  const amount = pricing && (priceAudio(pricing, call.usage)?.amount ?? null)
  const reserved = await reserveAmount(sql, spender, { id, amount }, now())
  if (reserved.refusal) throw budgetConflict(reserved.refusal, call, amount)
  const runAt = new Date(now().getTime() + CALL_MS_MAX)
  if (reserved.isReserved) await sql`select ${addJob(sql, voiceAbandoned, { orgId, callId: id }, { runAt })}`
}

function budgetConflict(refusal: AmountRefusal, { model }: VoiceCall, amount: string | null): ApiError {
  const reason =
    amount === null
      ? `cannot count ${model}, whose price is unknown: an admin can set one in Settings → Models`
      : 'is reached'
  return new ApiError('CONFLICT', `${describeBudget(refusal)} ${reason}`, {
    details: { reason: 'budget_reached' },
  })
}

/** Runs waiting for the reserved amount try again. */
async function release(sql: Sql, orgId: string, callId: string): Promise<void> {
  if (await releaseAmount(sql, orgId, callId)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}

const keyOf = ({ via, credentialId }: Context['caller']) => (via === 'key' ? credentialId : null)

async function recordUsage({ sql, caller, now }: Context, call: VoiceCall, usage: VoiceUsage): Promise<void> {
  const { seconds, tokens, characters, isEstimate } = usage
  const quantity = {
    ...(seconds !== null && { seconds }),
    ...(characters !== undefined && { characters }),
    ...(!isEstimate && tokens),
  }
  const cost = call.pricing && priceAudio(call.pricing, usage)
  const payer = { userId: caller.userId, keyId: keyOf(caller) }
  await insertVoiceUsage(sql, caller.orgId, { ...call, ...payer, quantity, cost, now: now() })
  await call.onCharged?.(sql, cost?.amount ?? null)
}

interface VoiceEntry extends Omit<VoiceCall, 'usage' | 'pricing' | 'onCharged'> {
  userId: string
  keyId: string | null
  quantity: Readonly<Record<string, number>>
  /** Null if it is unknown. */
  cost: ReturnType<typeof priceAudio>
  now: Date
}

/** Belongs to no run. Adds to the project's total. */
const insertVoiceUsage = (sql: Sql, orgId: string, { model, cost, ...entry }: VoiceEntry) => sql`
  with entry as (
    insert into usage (org_id, id, project_id, step, attempt, kind, agent_id, user_id, key_id, provider, model, quantity,
      unit_cost, cost, price_source, at)
    values (${orgId}, ${newId()}, ${entry.projectId}, 0, 1, ${entry.use}, ${entry.agentId}, ${entry.userId}, ${entry.keyId},
      ${model.slice(0, model.indexOf('/'))}, ${model}, ${sql.json(entry.quantity as never)},
      ${sql.json((cost?.unitCost ?? null) as never)}, ${cost?.amount ?? null}, ${cost?.source ?? 'unknown'}, ${entry.now})
    returning project_id, cost
  )
  update projects p set spend = p.spend + entry.cost from entry
  where p.org_id = ${orgId} and p.id = entry.project_id and entry.cost > 0`
