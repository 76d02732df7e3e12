import type { InputOf } from '../../../contract/endpoint.ts'
import { FEEDBACK_STATUS, type FeedbackStatus, type feedback } from '../../../contract/feedback.ts'
import type { Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { reply } from '../../endpoint/route.ts'
import { badField, notFound, raise, stale } from '../../errors.ts'
import { publishIn } from '../../events/publish.ts'
import { newId } from '../../security/ids.ts'
import { announceStatus } from './notify.ts'
import * as queries from './queue-queries.ts'
import { present } from './submissions.ts'

export async function listQueue(
  ctx: Context<'vault'>,
  { status, limit, cursor }: InputOf<typeof feedback.queue>,
) {
  const list = `queue ${status ?? 'all'}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const [rows, counts] = await Promise.all([
    queries.listQueue(ctx.sql, status, before, limit + 1),
    queries.countByStatus(ctx.sql),
  ])
  return { ...cursorPage(ctx.vault, list, limit, rows, presentQueued), counts: countsOf(counts) }
}

export async function inspect(ctx: Context, { id }: InputOf<typeof feedback.inspect>) {
  const row = (await queries.findQueued(ctx.sql, id)) ?? raise(notFound('Feedback'))
  const changes = await queries.listChanges(ctx.sql, row.orgId, id)
  return reply({ ...presentQueued(row), changes: changes.map(presentChange) }, { version: row.version })
}

/** Any status may follow any other, so mistakes can be reverted. */
export function updateStatus(
  ctx: Context,
  { id, status, note, ifMatch, ...input }: InputOf<typeof feedback.handle>,
) {
  return ctx.transaction(async ({ sql, now, caller, enqueue }) => {
    const before = (await queries.lockSubmission(sql, id)) ?? raise(notFound('Feedback'))
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    const taskId = input.taskId === undefined ? before.taskId : input.taskId
    if (status === 'linked' && taskId === null)
      throw badField('body.taskId', 'is required to link a submission to a task')

    const { orgId } = before
    const changeId = newId()
    await queries.updateStatus(sql, orgId, id, { status, taskId, now: now() })
    await queries.insertChange(sql, orgId, id, {
      id: changeId,
      operatorId: caller.userId,
      fromStatus: before.status,
      toStatus: status,
      taskId,
      note: note ?? null,
      now: now(),
    })
    if (FEEDBACK_STATUS[before.status] !== FEEDBACK_STATUS[status]) {
      await enqueue(announceStatus, { orgId, feedbackId: id, changeId, status })
    }
    await publishIn(sql, orgId, now(), {
      type: 'feedback.updated',
      data: { feedbackId: id, change: 'handled', status: FEEDBACK_STATUS[status] },
    })
    const after = (await queries.findQueued(sql, id))!
    return reply(presentQueued(after), { version: after.version })
  })
}

const presentQueued = (row: queries.QueuedRow) => ({
  ...present(row),
  organization: { id: row.orgId, name: row.orgName },
  submitter: { id: row.userId, name: row.userName, email: row.userEmail },
})

const presentChange = ({ operatorId, operatorName, ...change }: queries.ChangeRow) => ({
  ...change,
  operator: { id: operatorId, name: operatorName },
})

const countsOf = (rows: readonly { status: FeedbackStatus; count: number }[]) =>
  Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Record<FeedbackStatus, number>
