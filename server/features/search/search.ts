import type { InputOf } from '../../../contract/endpoint.ts'
import { search as endpoints } from '../../../contract/search/search.ts'
import type { Context } from '../../context.ts'
import { handle } from '../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../feature.ts'
import { fill } from '../../hooks.ts'
import { deleteProjectSearchEntries, releaseBacklogs, releaseTexts, startBacklogWorker } from './backlog.ts'
import { find } from './find.ts'
import { saveOpened } from './recent-queries.ts'

export {
  claimTexts,
  type DueText,
  postponeText,
  requeueTexts,
  SEARCH_CHANNEL,
  saveText,
  textsWaiting,
} from './backlog.ts'
export {
  conversationMatches,
  countNewestMatches,
  newestConversationMatch,
  selectMatch,
  toTextQuery,
} from './message-matches.ts'
export { findProjectId, listProjectsIfFew } from './visible.ts'

/**
 * Finds everything a caller may see, by name and content. Triggers write search entries in the change's transaction
 * (`migrations/0064_search.sql`).
 */
export const search: Feature = {
  routes: [handle(endpoints.find, find), handle(endpoints.opened, recordOpened)],
  start: startBacklogWorker,
  recover: async (pool, now) => {
    await releaseBacklogs(pool, now)
    await releaseTexts(pool, now)
  },
  // Runs after other features' steps, which change titles and so index rows again.
  fills: [
    fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteProjectSearchEntries(sql, orgId, id, limit)),
  ],
}

async function recordOpened(
  { sql, caller, now }: Context,
  { type, id }: InputOf<typeof endpoints.opened>,
): Promise<{ recorded: true }> {
  await saveOpened(sql, caller.orgId, { userId: caller.userId, type, id, now: now() })
  return { recorded: true }
}
