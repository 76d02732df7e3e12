import type { Capability, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../../../jobs/claim-fairly.ts'
import type { Slot } from '../../../../jobs/lease-loop.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { Embedder } from '../../../../language-models/models.ts'
import { SEARCH_CHANNEL } from '../../../search/search.ts'
import {
  type Batch,
  deleteDone,
  deleteRetired,
  findNext,
  hasFaulty,
  insertVectors,
  isGivenUp,
  postponeFaulty,
  postponeSpace,
  queueSources,
  readBatch,
  type Vector,
  type WaitingPassage,
} from './batch-queries.ts'
import { charge } from './charge.ts'
import {
  type EmbedderModels,
  type EmbedderState,
  findEmbedder,
  lockEmbedders,
  serve,
  startAgain,
} from './embedders.ts'
import { isUsable, toBytes, toCode, WRONG_RESPONSE } from './quantize.ts'

const CONCURRENCY = 2
/** Of one request. Providers accept 96 to 2,048. */
const PASSAGES_MAX = 64
const TEXT_UNITS_MAX = 3000
const REQUEST_MS_MAX = 60_000
/** Longer than the requests of one batch. */
const LEASE_MS = 300_000
const TRIED_SIZES = [PASSAGES_MAX, 8, 1]
const RETRY_MS = { first: 5000, most: 15 * 60_000 }
/** Raising a budget or the next day ends it. */
const OVER_BUDGET_MS = 60_000
/** Longer, because all of the project's sources are postponed. */
const PROJECT_OVER_BUDGET_MS = 5 * 60_000
/** A stopping process gives requests this long. Then another process repeats them. */
const HAND_OVER_MS = 2000

/** Embeds a batch of an organization's passages at a time, in turns. A crash repeats one batch. */
export const startEmbeddingWorker = (runtime: WorkerRuntime, models: EmbedderModels) =>
  startOrganizationLoop<DueEmbedder>(runtime, {
    name: 'embeddings',
    channel: SEARCH_CHANNEL,
    waiting: waitingIn(EMBEDDER_QUEUE),
    concurrency: CONCURRENCY,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    handOverMs: HAND_OVER_MS,
    claim: (request) => claimEmbedders(runtime.pool, request),
    run: (due, slot) => runBatch(runtime.context(), models, due, slot),
    release: (due) => postpone(runtime.context(), due, RETRY_MS.first),
  })

interface DueEmbedder {
  orgId: string
  id: string
  model: string
  state: EmbedderState
  dimensions: number | null
  queuedTo: string | null
  revision: number
  /** Before this one. */
  failures: number
}

const EMBEDDER_QUEUE: Queue = { table: 'passage_embedders', key: ['id'], indexedBy: 'org_id' }

const claimEmbedders = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueEmbedder>(sql, EMBEDDER_QUEUE, claim, {
    lease: sql`due_at = ${claim.leasedUntil}, is_idle = false`,
    returning: sql`t.org_id as "orgId", t.id, t.model, t.state, t.dimensions, t.queued_to as "queuedTo", t.revision,
      t.attempts as failures`,
  })

type WorkerContext = JobContext<Capability>

async function runBatch(
  ctx: WorkerContext,
  models: EmbedderModels,
  due: DueEmbedder,
  { handOver }: Slot,
): Promise<void> {
  const { orgId, id } = due
  if (due.state === 'retired') {
    const isGone = await ctx.transaction(({ sql }) => deleteRetired(sql, orgId, id))
    return isGone ? undefined : postpone(ctx, due, 0)
  }
  if (due.queuedTo !== null) return queueNext(ctx, due, due.queuedTo)
  const batch = await readBatch(ctx.sql, orgId, id, { passagesMax: PASSAGES_MAX, now: ctx.now() })
  if (batch.passages.length === 0) return finish(ctx, due, batch, NOTHING)
  const embedder = await findEmbedder(models, orgId, due.model)
  if (!embedder)
    return wait(ctx, due, { problem: 'The organization has no such model with embeddings', delayMs: null })
  const embedded = await embedBatch(ctx, embedder, due, { ...batch, signal: handOver })
  if (handOver.aborted && 'problem' in embedded) return postpone(ctx, due, 0)
  if ('problem' in embedded && embedded.isOfProject)
    return skipProject(ctx, due, { spaceId: batch.spaceId!, problem: embedded.problem })
  if ('problem' in embedded) return wait(ctx, due, embedded)
  return finish(ctx, due, batch, embedded)
}

const queueNext = (ctx: WorkerContext, { orgId, id }: DueEmbedder, after: string) =>
  ctx.transaction(async ({ sql }) => {
    const embedders = await lockEmbedders(sql, orgId)
    if (!embedders.some((embedder) => embedder.id === id)) return
    const last = await queueSources(sql, orgId, id, after)
    await sql`
      update passage_embedders set queued_to = ${last}, due_at = ${ctx.now()}
      where org_id = ${orgId} and id = ${id}`
  })

interface Delay {
  problem: string
  /** Null: longer each time. */
  delayMs: number | null
  /** The others needn't wait. */
  isOfProject?: boolean
}

interface EmbeddedPassages {
  vectors: Vector[]
  /** Those that the model returned no usable vector for, although it works. */
  faulty: readonly WaitingPassage[]
}

const NOTHING: EmbeddedPassages = { vectors: [], faulty: [] }

/**
 * If the provider refuses a batch, or returns no usable vector, fewer are tried, until the passage at fault is alone. A
 * refused one gets no vector.
 */
async function embedBatch(
  ctx: WorkerContext,
  embedder: Embedder,
  { orgId, dimensions }: DueEmbedder,
  { spaceId, passages, signal }: Batch & { signal: AbortSignal },
): Promise<EmbeddedPassages | Delay> {
  const payer = { orgId, projectId: spaceId === orgId ? null : spaceId, userId: null, keyId: null }
  const ask = (texts: readonly string[]) =>
    charge(ctx, payer, embedder, texts, () =>
      embedder.embed(texts, 'passage', { timeoutMs: REQUEST_MS_MAX, signal }),
    )
  for (const size of TRIED_SIZES) {
    const some = passages.slice(0, size)
    const outcome = await ask(some.map(toText))
    if (outcome.kind === 'over-budget') return { ...outcome, delayMs: OVER_BUDGET_MS }
    if (outcome.kind === 'done') {
      const { vectors } = outcome.value
      if (vectors.some((vector) => vector && vector.length === (dimensions ?? vector.length)))
        return split(some, vectors, dimensions)
      if (some.length > 1 && vectors.every((vector) => vector === null)) continue
      // Is it the texts, or the model?
      const known = await ask([KNOWN_TEXT])
      if (known.kind === 'over-budget') return { ...known, delayMs: OVER_BUDGET_MS }
      if (known.kind === 'failed')
        return { problem: known.failure.message, delayMs: known.failure.retryAfterMs }
      const length = known.value.vectors[0]?.length
      if (length === undefined) return { problem: WRONG_RESPONSE, delayMs: null }
      return split(some, vectors, length === dimensions ? dimensions : null)
    }
    const { kind, message, retryAfterMs } = outcome.failure
    // If the model never embedded anything, the text isn't the reason.
    const isText = REFUSED_TEXTS.includes(kind) && dimensions !== null
    if (!isText) return { problem: message, delayMs: retryAfterMs }
  }
  return { vectors: toVectors(passages.slice(0, 1), [null]), faulty: [] }
}

const KNOWN_TEXT = 'Where is the nearest harbor?'

/** Null: vectors of any length. */
function split(
  passages: readonly WaitingPassage[],
  vectors: readonly (Float32Array | null)[],
  dimensions: number | null,
): EmbeddedPassages {
  const fits = passages.map((_, at) => {
    const vector = vectors[at] ?? null
    return vector !== null && vector.length === (dimensions ?? vector.length)
  })
  const isFitting = (_: unknown, at: number) => fits[at]!
  return {
    vectors: toVectors(passages.filter(isFitting), vectors.filter(isFitting)),
    faulty: passages.filter((_, at) => !fits[at]),
  }
}

const REFUSED_TEXTS = ['context_too_long', 'invalid_request', 'refused']

/** The title and headings say what a piece from the middle is about. */
const toText = ({ title, heading, context, text }: WaitingPassage): string =>
  [title, heading, context, text].filter(Boolean).join('\n').slice(0, TEXT_UNITS_MAX).toWellFormed()

const toVectors = (
  passages: readonly WaitingPassage[],
  vectors: readonly (Float32Array | null)[],
): Vector[] =>
  passages.map(({ sourceId, ordinal, hash }, index) => {
    const vector = vectors[index] ?? null
    const isKept = vector !== null && isUsable(vector)
    return {
      ...{ sourceId, ordinal, hash },
      code: isKept ? toCode(vector) : null,
      vector: isKept ? toBytes(vector).toString('base64') : null,
    }
  })

const FAULTY =
  'The model returned no usable vectors for some passages, which are found by their words. It is asked again.'

const finish = (
  ctx: WorkerContext,
  due: DueEmbedder,
  { queued }: Batch,
  { vectors, faulty }: EmbeddedPassages,
) =>
  ctx.transaction(async ({ sql }) => {
    const { orgId, id, revision } = due
    const now = ctx.now()
    // Its vectors are being deleted, and then the embedder: not while this transaction holds it.
    const [held] = await sql`
      select from passage_embedders where org_id = ${orgId} and id = ${id} and state <> 'retired' for key share`
    if (!held) return
    const dimensions = vectors.find(({ code }) => code !== null)?.code?.length ?? due.dimensions
    const isSame = due.dimensions === null || dimensions === due.dimensions
    if (!isSame) return startAgain(sql, orgId, due, now)
    const faultySources = new Set(faulty.map(({ sourceId }) => sourceId))
    const failed = queued.filter(({ sourceId }) => faultySources.has(sourceId))
    const givenUp = new Set(failed.filter(isGivenUp).map(({ sourceId }) => sourceId))
    const last = toVectors(
      faulty.filter(({ sourceId }) => givenUp.has(sourceId)),
      [],
    )
    if (vectors.length + last.length > 0) await insertVectors(sql, orgId, id, [...vectors, ...last])
    await lockEmbedders(sql, orgId)
    await postponeFaulty(sql, orgId, id, { queued: failed, now })
    await deleteDone(sql, orgId, id, queued)
    const next = await findNext(sql, orgId, id)
    const isPostponed = next !== null && next > now
    const problem = isPostponed && (await hasFaulty(sql, orgId, id)) ? FAULTY : null
    const [row] = await sql<{ isDone: boolean; state: EmbedderState }[]>`
      update passage_embedders set dimensions = ${dimensions}, attempts = 0,
        problem = case when ${problem}::text is not null then ${problem} when ${isPostponed} then problem end,
        due_at = case when ${next === null} and revision = ${revision} then null
          else ${isPostponed ? next : now}::timestamptz end,
        is_idle = ${isPostponed}
      where org_id = ${orgId} and id = ${id} and state <> 'retired'
      returning due_at is null as "isDone", state`
    if (row?.isDone && row.state === 'building') await serve(sql, orgId, id, now)
  })

/** Its budget is reached. */
const skipProject = (
  ctx: WorkerContext,
  { orgId, id }: DueEmbedder,
  { spaceId, problem }: { spaceId: string; problem: string },
) =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    await lockEmbedders(sql, orgId)
    const until = new Date(now.getTime() + PROJECT_OVER_BUDGET_MS)
    await postponeSpace(sql, orgId, id, { spaceId, until })
    const next = await findNext(sql, orgId, id)
    await sql`
      update passage_embedders set problem = ${problem}, due_at = ${next !== null && next > now ? next : now}, is_idle = true
      where org_id = ${orgId} and id = ${id} and state <> 'retired'`
  })

const postpone = async ({ sql, now }: WorkerContext, { orgId, id }: DueEmbedder, delayMs: number) => {
  const dueAt = new Date(now().getTime() + delayMs)
  await sql`update passage_embedders set due_at = ${dueAt} where org_id = ${orgId} and id = ${id}`
}

const wait = (ctx: WorkerContext, { orgId, id, failures }: DueEmbedder, { problem, delayMs }: Delay) => {
  const longer = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** Math.min(failures, 20))
  const dueAt = new Date(ctx.now().getTime() + Math.max(delayMs ?? longer, 1000))
  return ctx.sql`
    update passage_embedders set problem = ${problem}, attempts = least(attempts + 1, 1000), due_at = ${dueAt}
    where org_id = ${orgId} and id = ${id} and state <> 'retired'`.then(() => {})
}

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseEmbedders = (sql: Sql, now: Date) => sql`
  update passage_embedders set due_at = ${now} where due_at > ${now}`
