import type { Caller, Context } from '../../../../context.ts'
import { requirePrimary } from '../../../../database/standby/standby.ts'
import { charge } from './charge.ts'
import { type EmbedderModels, type EmbedderRow, findEmbedder, findServing } from './embedders.ts'
import { isUsable } from './quantize.ts'

interface EmbeddedQuestion {
  embedderId: string
  question: Float32Array
}

interface Question {
  q: string
  /** Whose budget pays. Null: the organization's. */
  projectId: string | null
}

export type AskedQuestion = () => Promise<EmbeddedQuestion | null>

/** For the model. A search waits no longer, and then finds by words alone. */
const QUESTION_MS_MAX = 1500
/** After a failure, searches of this organization don't wait for the model for this long. */
const PAUSE_MS = 15_000
const CACHED_MAX = 500
const CACHED_MS = 300_000
const PAUSES_MAX = 10_000

interface Cached {
  vector: Float32Array
  until: number
}

/** Per process. A repeated question costs nothing. */
export function createQuestions(models: EmbedderModels) {
  const cache = new Map<string, Cached>()
  const pauses = new Map<string, number>()

  async function ask(ctx: Context, { id, model, dimensions }: EmbedderRow, question: Question) {
    const vector = await tryToEmbed(ctx, models, model, question)
    if (vector === null || vector.length !== dimensions || !isUsable(vector)) {
      keep(pauses, id, Date.now() + PAUSE_MS, PAUSES_MAX)
      return null
    }
    keep(cache, `${id} ${question.q}`, { vector, until: Date.now() + CACHED_MS }, CACHED_MAX)
    return { embedderId: id, question: vector }
  }

  /**
   * Null without a model that serves, or while it is paused. What it returns has no vector if the model fails: a search
   * never fails because of it.
   */
  return async function prepareQuestion(ctx: Context, question: Question): Promise<AskedQuestion | null> {
    const serving = await findServing(ctx.sql, ctx.caller.orgId)
    if (serving === null || serving.dimensions === null) return null
    const cached = cache.get(`${serving.id} ${question.q}`)
    if (cached && cached.until > Date.now())
      return async () => ({ embedderId: serving.id, question: cached.vector })
    if ((pauses.get(serving.id) ?? 0) > Date.now()) return null
    // Its cost is written, and a transaction must not wait for it.
    if (!serving.model.startsWith('static/')) requirePrimary(ctx.sql)
    return () => ask(ctx, serving, question)
  }
}

async function tryToEmbed(
  ctx: Context,
  models: EmbedderModels,
  model: string,
  { q, projectId }: Question,
): Promise<Float32Array | null> {
  try {
    const embedder = await findEmbedder(models, ctx.caller.orgId, model)
    if (embedder === null) return null
    const work = () => embedder.embed([q], 'question', { timeoutMs: QUESTION_MS_MAX })
    const outcome = await charge(ctx, { ...payerOf(ctx.caller), projectId }, embedder, [q], work)
    return outcome.kind === 'done' ? (outcome.value.vectors[0] ?? null) : null
  } catch {
    return null
  }
}

export const payerOf = ({ orgId, userId, via, credentialId }: Caller) => ({
  orgId,
  userId,
  keyId: via === 'key' ? credentialId : null,
})

/** The oldest goes if there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value!)
}
