import { z } from 'zod'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { addJob, job } from '../../../../jobs/job.ts'
import { embedderChosen } from '../../../organizations/settings/settings.ts'
import { applyChoice, chosenModel, type EmbedderModels } from './embedders.ts'
import { startEmbeddingWorker } from './worker.ts'

/** Every minute, for new organizations and for a model that the operator replaced. */
export const serverEmbedder = job('embeddings.server-model', z.object({}))

export const applySettings =
  (models: EmbedderModels) =>
  async (ctx: JobContext, { orgId }: z.output<(typeof embedderChosen)['payload']>): Promise<void> => {
    const { model } = await chosenModel(models, ctx.sql, orgId)
    await ctx.transaction(({ sql }) => applyChoice(sql, orgId, model, ctx.now()))
  }

export const applyServerModel =
  (models: EmbedderModels) =>
  async ({ sql }: JobContext): Promise<void> => {
    const own = await models.staticEmbedder()
    for (const { id: orgId } of await listAffected(sql, own?.id ?? null))
      await sql`select ${addJob(sql, embedderChosen, { orgId })}`
  }

export async function startEmbeddings(runtime: WorkerRuntime, models: EmbedderModels) {
  await applyServerModel(models)(runtime.context()).catch((err: unknown) =>
    runtime.log.error(
      { err },
      'could not read the model in ATRIUM_EMBEDDINGS: passages are found by words alone',
    ),
  )
  return startEmbeddingWorker(runtime, models)
}

const AFFECTED_MAX = 1000

/** Organizations without an embedder although the server has one, and with one that it no longer has. */
const listAffected = (sql: Sql, model: string | null) => sql<{ id: string }[]>`
  select o.id from organizations o
  left join passage_embedders e on e.org_id = o.id and e.state <> 'retired'
  group by o.id
  having case when count(e.id) = 0 then ${model !== null}
    else bool_or(e.model like 'static/%' and e.model is distinct from ${model})
      and not coalesce(bool_or(e.model = ${model}), false) end
  limit ${AFFECTED_MAX}`
