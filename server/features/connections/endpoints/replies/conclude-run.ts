import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import { newId } from '../../../../security/ids.ts'
import { type EndedRun, findEndedRun } from '../../../agents/outside-messages/outside-messages.ts'
import { findDefinition } from '../../connectors/connectors.ts'
import { addCounts } from '../handling/event-queries.ts'
import { type EndedEvent, insertReply, lockRunning, updateEnded } from './reply-queries.ts'

export const REPLIES_CHANNEL = 'atrium_connector_replies'

/** Sends the answer, or holds it for approval. */
export const concludeRun = (ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) =>
  ctx.transaction(async ({ sql }) => {
    const run = await findEndedRun(sql, orgId, runId)
    const events = run ? await lockRunning(sql, orgId, runId) : []
    const last = events.at(-1)
    if (!run || !last) return
    const now = ctx.now()
    const isSuccess = run.status === 'succeeded'
    const { error } = run
    const status = isSuccess ? 'succeeded' : 'failed'
    await updateEnded(sql, orgId, runId, { status, reason: isSuccess ? null : 'run_failed', error, now })
    if (isSuccess) await addReply(sql, orgId, { run, runId, event: last, now })
    const counts = countEach(events.map(({ endpointId }) => endpointId))
    for (const [endpointId, count] of counts)
      await addCounts(sql, orgId, endpointId, {
        [status]: count,
        ...(error !== null && { error: { message: error, at: now } }),
      })
  })

interface AnsweredEvent {
  run: EndedRun
  runId: string
  event: EndedEvent
  now: Date
}

/** Sent undecided only if all messages came from the provider. */
async function addReply(sql: Sql, orgId: string, { run, runId, event, now }: AnsweredEvent): Promise<void> {
  const { endpointId, id: eventId, connectorSlug } = event
  if (event.reply === 'off') return
  const definition = await findDefinition(sql, orgId, connectorSlug)
  const { answer: text, isForOutside } = run
  if (!definition?.receiver?.reply || !text) return
  const isAutomatic = event.reply === 'auto' && isForOutside
  const status = isAutomatic ? 'pending' : 'waiting'
  await insertReply(sql, orgId, { id: newId(), endpointId, eventId, runId, status, text, now })
  if (status === 'pending') wakeReplyWorkers(sql)
}

export const wakeReplyWorkers = (sql: Sql): void => notify(sql, REPLIES_CHANNEL)

function countEach(ids: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
