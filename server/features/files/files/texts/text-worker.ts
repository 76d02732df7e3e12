import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { claimTexts, type DueText, saveText } from '../../../search/search.ts'
import { createRendererPool } from '../previews/renderer-pool.ts'
import { extractText } from './extract-text.ts'
import { findStored } from './stored-queries.ts'

const CHANNEL = 'atrium_texts'
/** Longer than for a preview: no user waits for it, and search does not find the text of a file that times out. */
const TIME_MS = 30_000
/** Longer than a renderer waits and works. */
const LEASE_MS = 120_000

/** Reads the text of uploaded files, so that search finds it. One file at a time: previews have renderers of their own. */
export async function startTextWorker(runtime: WorkerRuntime) {
  const renderers = createRendererPool({ timeMs: TIME_MS, concurrency: 1, concurrencyPerOrg: 1 })
  const loop = await startOrganizationLoop<DueText>(runtime, {
    name: 'texts of files',
    channel: CHANNEL,
    concurrency: 1,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimTexts(runtime.pool, request),
    run: async (due) => {
      const ctx = runtime.context()
      const file = await findStored(ctx.sql, due.orgId, due.id)
      const text = file?.objectKey === due.objectKey ? await extractText(ctx, renderers, file) : ''
      await saveText(ctx.sql, due.orgId, due, text)
    },
  })
  return {
    async stop() {
      await loop.stop()
      await renderers.close()
    },
  }
}
