import { z } from 'zod'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { addJob, job } from '../../../../jobs/job.ts'
import type { EmbedOutcome } from '../../../../language-models/embeddings/embed.ts'
import { estimateEmbedded, priceEmbedding } from '../../../../language-models/embeddings/embedding-pricing.ts'
import type { Embedder } from '../../../../language-models/models.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import { newId } from '../../../../security/ids.ts'
import {
  budgetsChanged,
  describeBudget,
  releaseAmount,
  reserveAmount,
} from '../../../billing/budgets/budgets.ts'

/** Longer than any call takes. */
const CALL_MS_MAX = 5 * 60_000

/** Releases a call's reservation if its process ended early. */
export const embeddingAbandoned = job('embeddings.abandoned', z.object({ orgId: z.uuid(), callId: z.uuid() }))

export interface Payer {
  orgId: string
  projectId: string | null
  userId: string | null
  keyId: string | null
}

interface Refusal {
  problem: string
  /** Other projects' passages may go on. */
  isOfProject: boolean
}

type ChargedOutcome = EmbedOutcome | ({ kind: 'over-budget' } & Refusal)

/** Of a caller or of a job. */
interface ChargeContext extends Pick<JobContext, 'now'> {
  transaction: <T>(work: (inside: { sql: Sql }) => Promise<T>) => Promise<T>
}

/** Like a run: reserves the cost on every applicable budget before, and enters it in the ledger after. */
export async function charge(
  ctx: ChargeContext,
  payer: Payer,
  embedder: Embedder,
  texts: readonly string[],
  work: () => Promise<EmbedOutcome>,
): Promise<ChargedOutcome> {
  if (embedder.isStatic) return work()
  const { orgId } = payer
  const callId = newId()
  const pricing = await embedder.pricing()
  const estimate = estimateEmbedded(texts)
  const refusal = await ctx.transaction(({ sql }) =>
    reserve(sql, callId, { payer, embedder, pricing, estimate }, ctx.now()),
  )
  if (refusal !== null) return { kind: 'over-budget', ...refusal }
  let outcome: EmbedOutcome | null = null
  try {
    outcome = await work()
    return outcome
  } finally {
    await ctx.transaction(async ({ sql }) => {
      if (outcome && mayHaveCost(outcome)) {
        const counted = outcome.kind === 'done' ? outcome.value.tokens : null
        await insertUsage(sql, orgId, {
          payer,
          embedder,
          pricing,
          tokens: counted ?? estimate,
          isEstimate: counted === null,
          now: ctx.now(),
        })
      }
      await release(sql, orgId, callId)
    })
  }
}

/** After the whole request was sent, the provider may have done the work. */
const mayHaveCost = (outcome: EmbedOutcome): boolean =>
  outcome.kind === 'done' || ['timed_out', 'canceled', 'interrupted'].includes(outcome.failure.kind)

interface Planned {
  payer: Payer
  embedder: Embedder
  pricing: Pricing | null
  estimate: number
}

/** Why a budget refuses it. Null if none does. */
async function reserve(
  sql: Sql,
  id: string,
  { payer, embedder, pricing, estimate }: Planned,
  now: Date,
): Promise<Refusal | null> {
  const { orgId, projectId, userId: createdBy, keyId } = payer
  const amount = pricing && priceEmbedding(pricing, estimate).amount
  const spender = { orgId, id: null, projectId, agentId: null, createdBy, keyId }
  const reserved = await reserveAmount(sql, spender, { id, amount }, now)
  if (reserved.refusal) {
    const reason =
      amount === null
        ? `cannot count ${embedder.id}, whose price is unknown: an admin can set one in Settings → Models`
        : 'is reached'
    const { refusal } = reserved
    return { problem: `${describeBudget(refusal)} ${reason}`, isOfProject: refusal.scope === 'project' }
  }
  const runAt = new Date(now.getTime() + CALL_MS_MAX)
  if (reserved.isReserved)
    await sql`select ${addJob(sql, embeddingAbandoned, { orgId, callId: id }, { runAt })}`
  return null
}

/** Runs waiting for the reserved amount try again. */
async function release(sql: Sql, orgId: string, callId: string): Promise<void> {
  if (await releaseAmount(sql, orgId, callId)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}

export const releaseAbandoned = (
  { sql }: { sql: Sql },
  { orgId, callId }: z.output<(typeof embeddingAbandoned)['payload']>,
): Promise<void> => release(sql, orgId, callId)

interface Used {
  payer: Payer
  embedder: Embedder
  pricing: Pricing | null
  tokens: number
  isEstimate: boolean
  now: Date
}

/** Belongs to no run. Adds to the project's total. */
async function insertUsage(
  sql: Sql,
  orgId: string,
  { payer, embedder, pricing, tokens, isEstimate, now }: Used,
) {
  const cost = pricing && priceEmbedding(pricing, tokens)
  const source = cost ? (isEstimate ? 'estimate' : cost.source) : 'unknown'
  const { id: model } = embedder
  await sql`
    with entry as (
      insert into usage (org_id, id, project_id, step, attempt, kind, user_id, key_id, provider, model, quantity, unit_cost,
        cost, price_source, at)
      values (${orgId}, ${newId()}, ${payer.projectId}, 0, 1, 'embedding', ${payer.userId}, ${payer.keyId},
        ${model.slice(0, model.indexOf('/'))}, ${model}, ${sql.json({ input: tokens })},
        ${sql.json((cost?.unitPrices ?? null) as never)}, ${cost?.amount ?? null}, ${source}, ${now})
      returning project_id, cost
    )
    update projects p set spend = p.spend + entry.cost from entry
    where p.org_id = ${orgId} and p.id = entry.project_id and entry.cost > 0`
}
