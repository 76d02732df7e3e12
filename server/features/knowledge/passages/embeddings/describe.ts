import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import type { embeddings as endpoints } from '../../../../../contract/knowledge/embeddings.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError, conflict } from '../../../../errors.ts'
import { charge } from './charge.ts'
import { payerOf } from './embed-question.ts'
import { chosenModel, type EmbedderModels, findEmbedder, listEmbedders } from './embedders.ts'
import { isUsable, WRONG_RESPONSE } from './quantize.ts'

type State = OutputOf<typeof endpoints.get>

export const describeEmbedder =
  (models: EmbedderModels) =>
  async ({ sql, caller }: Context): Promise<State> => {
    const { orgId } = caller
    const { model, source } = await chosenModel(models, sql, orgId)
    const rows = await listEmbedders(sql, orgId)
    const serving = rows.find(({ state }) => state === 'serving')?.model ?? null
    const current = rows.find((row) => row.model === model)
    const off = { model, source, problem: null, serving, progress: null }
    if (model === null) return { ...off, state: 'off' }
    if (!current) return { ...off, state: 'building' }
    const { problem } = current
    const state = problem !== null ? 'waiting' : current.state === 'serving' ? 'ready' : 'building'
    return { ...off, state, problem, progress: await readProgress(sql, orgId, current.id) }
  }

async function readProgress(
  sql: Sql,
  orgId: string,
  embedderId: string,
): Promise<NonNullable<State['progress']>> {
  const [row] = await sql<NonNullable<State['progress']>[]>`
    select (select coalesce(sum(c.passages), 0)::int from passage_counts c where c.org_id = ${orgId}) as passages,
      (select count(*)::int from passage_embeddings e
       where e.org_id = ${orgId} and e.embedder_id = ${embedderId}) as embedded`
  return row!
}

const TEST_SENTENCE = 'Where is the nearest harbor?'
const TEST_MS_MAX = 20_000

export const testEmbedder =
  (models: EmbedderModels) =>
  async (
    ctx: Context,
    { model }: InputOf<typeof endpoints.test>,
  ): Promise<OutputOf<typeof endpoints.test>> => {
    const { sql, caller } = ctx
    const id = model ?? (await chosenModel(models, sql, caller.orgId)).model
    if (id === null) throw conflict('No embedder is set: choose one in Settings → Models')
    const embedder = await findEmbedder(models, caller.orgId, id)
    if (!embedder)
      return { ok: false, problem: `${id} has no provider with embeddings`, dimensions: null, durationMs: 0 }
    const began = performance.now()
    const outcome = await charge(
      ctx,
      { ...payerOf(caller), projectId: null },
      embedder,
      [TEST_SENTENCE],
      () => embedder.embed([TEST_SENTENCE], 'question', { timeoutMs: TEST_MS_MAX }),
    )
    const durationMs = Math.round(performance.now() - began)
    if (outcome.kind === 'over-budget')
      throw new ApiError('CONFLICT', outcome.problem, { details: { reason: 'budget_reached' } })
    const failed = { ok: false, dimensions: null, durationMs }
    if (outcome.kind === 'failed') return { ...failed, problem: outcome.failure.message }
    const vector = outcome.value.vectors[0]
    if (!vector) return { ...failed, problem: WRONG_RESPONSE }
    if (!isUsable(vector)) return { ...failed, problem: 'The model’s vector has no direction' }
    return { ok: true, problem: null, dimensions: vector.length, durationMs }
  }
