import { embeddings } from '../../../../contract/knowledge/embeddings.ts'
import { passages as endpoints } from '../../../../contract/knowledge/passages.ts'
import type { Sql } from '../../../database/database.ts'
import { inBatch } from '../../../database/delete-batch.ts'
import { handle } from '../../../endpoint/route.ts'
import { type EmptyProject, emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { agentReferences } from '../../agents/agents/agents.ts'
import { embedderChosen } from '../../organizations/settings/settings.ts'
import { releasePassageBacklogs, startPassageBacklog } from './backlog.ts'
import { embeddingAbandoned, releaseAbandoned } from './embeddings/charge.ts'
import { describeEmbedder, testEmbedder } from './embeddings/describe.ts'
import type { EmbedderModels } from './embeddings/embedders.ts'
import { applyServerModel, applySettings, serverEmbedder, startEmbeddings } from './embeddings/embeddings.ts'
import { releaseEmbedders } from './embeddings/worker.ts'
import { searchPassages } from './search.ts'
import { lockCounts } from './store.ts'
import { releaseSources, startSourceWorker } from './sync.ts'

export { fileKnowledge } from './file-knowledge.ts'
export { saveFilePassages } from './save-file.ts'

/** A project is a space, so its counts go with it and need no subtraction. */
const emptyProjectPassages: EmptyProject = async ({ sql }, { orgId, id }, limit) => {
  await lockCounts(sql, orgId)
  const inSpace = sql`t where t.org_id = ${orgId} and t.space_id = ${id}`
  const ofSpace = sql`(select s.id from passage_sources s where s.org_id = ${orgId} and s.space_id = ${id})`
  const { count: embedded } = await sql`
    delete from passage_embeddings where ${inBatch(sql, sql`passage_embeddings t where t.org_id = ${orgId} and t.source_id in ${ofSpace}`, limit)}`
  if (embedded > 0) return embedded
  for (const table of ['passages', 'passage_terms', 'passage_counts', 'passage_sources']) {
    const { count } = await sql`
      delete from ${sql(table)} where ${inBatch(sql, sql`${sql(table)} ${inSpace}`, limit)}`
    if (count > 0) return count
  }
  return 0
}

/** Passages of files, notes, memories and pinned conversations, which agents find and cite. */
export const passages = ({ models }: { models: EmbedderModels }): Feature => ({
  routes: [
    handle(endpoints.search, searchPassages(models)),
    handle(embeddings.get, describeEmbedder(models)),
    handle(embeddings.test, testEmbedder(models)),
  ],
  jobs: [
    onJob(embedderChosen, applySettings(models)),
    onJob(serverEmbedder, applyServerModel(models)),
    onJob(embeddingAbandoned, releaseAbandoned),
  ],
  schedules: [{ job: serverEmbedder, cron: '* * * * *' }],
  async start(runtime) {
    const workers = [
      await startSourceWorker(runtime),
      await startPassageBacklog(runtime),
      await startEmbeddings(runtime, models),
    ]
    return {
      async stop() {
        await Promise.all(workers.map((worker) => worker.stop()))
      },
    }
  },
  recover: async (pool, now) => {
    await releaseSources(pool, now)
    await releasePassageBacklogs(pool, now)
    await releaseEmbedders(pool, now)
  },
  fills: [
    fill(emptyProject, emptyProjectPassages),
    fill(agentReferences, {
      setting: 'knowledge',
      listExisting: listExistingKnowledge,
      warnAbout: () => 'the project, folder or file no longer exists',
    }),
  ],
})

/** Projects, folders and files that haven't been deleted. Whether a caller sees them is checked when they search. */
async function listExistingKnowledge(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }[]>`
    select p.id from projects p where p.org_id = ${orgId} and p.id = any(${[...ids]}::uuid[]) and p.deleted_at is null
    union all
    select f.id from files f where f.org_id = ${orgId} and f.id = any(${[...ids]}::uuid[]) and f.deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}
