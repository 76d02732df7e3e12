import type { InputOf } from '../../../contract/endpoint.ts'
import { home as endpoints } from '../../../contract/home/home.ts'
import type { Context } from '../../context.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import { updateRead } from '../comments/notifications/notifications.ts'
import { readCounts } from './counts/counts.ts'
import { findJoinedAt, findState, saveDismissed, saveSeen, saveState } from './queries.ts'
import { type HomeOptions, readHome, toTourState, visitTimes } from './read.ts'

/** Each member's home page: pending decisions, news and recent projects. */
export const home = (options: HomeOptions): Feature => ({
  routes: [
    handle(endpoints.read, (ctx) => readHome(ctx, options)),
    handle(endpoints.counts, readCounts),
    handle(endpoints.seen, recordSeen),
    handle(endpoints.dismiss, dismiss),
    handle(endpoints.update, update),
  ],
})

async function recordSeen(
  { sql, caller, now }: Context,
  { clear }: InputOf<typeof endpoints.seen>,
): Promise<{ newsSince: string }> {
  const { orgId, userId } = caller
  await saveSeen(sql, orgId, userId, { now: now(), clear })
  const state = await findState(sql, orgId, userId)
  const { newsSince } = visitTimes(state, await findJoinedAt(sql, orgId, userId), now())
  return { newsSince }
}

/** A notification has its own state, so it's marked as read. */
async function dismiss(
  { sql, caller, now }: Context,
  { key, dismissed }: InputOf<typeof endpoints.dismiss>,
): Promise<{ dismissed: boolean }> {
  const [kind, id] = key.split(':')
  if (kind === 'notification') await updateRead(sql, caller, [id!], dismissed ? now() : null)
  else await saveDismissed(sql, caller.orgId, caller.userId, { key, dismissed, now: now() })
  return { dismissed }
}

async function update({ sql, caller, now }: Context, change: InputOf<typeof endpoints.update>) {
  const { orgId, userId } = caller
  await saveState(sql, orgId, userId, change, now())
  const state = await findState(sql, orgId, userId)
  return { hidesFirstSteps: state?.hidesFirstSteps ?? false, tour: toTourState(state) }
}
