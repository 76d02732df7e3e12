import { SOURCE_PAUSES, type SourcePause } from '../../../../../contract/knowledge/source-options.ts'
import { recordAudit } from '../../../../audit/record.ts'
import { ApiError } from '../../../../errors.ts'
import { publishIn } from '../../../../events/publish.ts'
import { notify } from '../../../comments/notifications/notifications.ts'
import { SourceFailure } from '../providers/source-failure.ts'
import { endSync, listRecipients, lockSource } from '../queries.ts'
import type { SourceRow } from '../records.ts'
import * as queries from './queries.ts'
import type { SyncContext } from './session.ts'

const RETRY_FIRST_MS = 60_000
const RETRY_MS_MAX = 6 * 3_600_000
const FAILURES_TOLD = 3
const FAILURES_MAX = 10
const ERROR_MAX = 500
const UNEXPECTED = 'The server could not store what it received'

type Ending =
  | { kind: 'pause'; reason: SourcePause; detail: string | null }
  | { kind: 'failure'; error: unknown }

/** Tries again later, or pauses where trying again can't help. Rethrows unexpected errors, for the log. */
export async function pauseOrRetry(ctx: SyncContext, due: queries.DueSource, ending: Ending): Promise<void> {
  if (ending.kind === 'pause') return pause(ctx, due, ending.reason, ending.detail)
  const { error } = ending
  if (error instanceof ApiError && isOverQuota(error)) return pause(ctx, due, 'quota', error.message)
  if (error instanceof SourceFailure && (error.means === 'not_found' || error.means === 'connection_expired'))
    return pause(ctx, due, error.means, error.message)
  const isExplained = error instanceof SourceFailure || error instanceof ApiError
  const message = (isExplained ? error.message : UNEXPECTED).slice(0, ERROR_MAX)
  const failures = await retry(ctx, due, message, error instanceof SourceFailure ? error.retryAt : null)
  if (failures !== null && failures >= FAILURES_MAX) await pause(ctx, due, 'failing', message)
  if (!isExplained) throw error
}

const isOverQuota = ({ details }: ApiError) =>
  details !== undefined && 'reason' in details && details.reason === 'quota_exceeded'

/** The sync in progress goes on at the next attempt. */
const retry = (ctx: SyncContext, due: queries.DueSource, error: string, requestedAt: Date | null) =>
  ctx.transaction(async ({ sql, now }) => {
    const source = await lockSource(sql, due.orgId, due.id)
    const failures = await queries.recordFailure(sql, due, {
      error,
      retryAt: (count) => {
        const backoff = Math.min(RETRY_FIRST_MS * 2 ** (count - 1), RETRY_MS_MAX)
        return new Date(Math.max(now().getTime() + backoff, requestedAt?.getTime() ?? 0))
      },
    })
    if (source && failures === FAILURES_TOLD) {
      await publishIn(sql, due.orgId, now(), {
        type: 'source.failed',
        data: { sourceId: source.id, projectId: source.projectId, error },
      })
      const notice = { ...ctx, sql } as SyncContext
      await tell(
        notice,
        source,
        `failed-${source.lastSyncedAt ?? source.createdAt}`,
        ({ t, textWithNames }) => ({
          subject: textWithNames`The source “${lineOf(source)}” can’t sync`,
          text: t`It failed three times in a row and is tried again. The last error: ${error}`,
        }),
      )
    }
    return failures
  })

const pause = (ctx: SyncContext, due: queries.DueSource, reason: SourcePause, detail: string | null) =>
  ctx.transaction(async ({ sql, now }) => {
    const source = await lockSource(sql, due.orgId, due.id)
    if (!source || !(await queries.updatePaused(sql, due, { reason, detail, now: now() }))) return
    const { orgId, id, projectId, ownerId, name } = source
    const inside = { ...ctx, sql } as SyncContext
    if (source.progress)
      await endSync(sql, orgId, source.progress.syncId, { outcome: 'paused', error: detail, now: now() })
    await publishIn(sql, orgId, now(), { type: 'source.paused', data: { sourceId: id, projectId, reason } })
    await recordAudit(inside, {
      action: 'source.paused',
      by: { orgId, userId: ownerId, via: 'system' },
      target: id,
      details: { name, reason, projectId },
    })
    await tell(inside, source, `paused-${now().getTime()}`, ({ t, textWithNames, translate }) => ({
      subject: textWithNames`The source “${lineOf(source)}” is paused`,
      text:
        reason === 'connection_expired'
          ? translate(SOURCE_PAUSES[reason])
          : t`${translate(SOURCE_PAUSES[reason])} It won’t sync until a member resumes it.`,
    }))
  })

const lineOf = ({ name }: SourceRow) => name.replace(/\s+/g, ' ')

type Mail = Parameters<typeof notify>[4]

async function tell(ctx: SyncContext, source: SourceRow, event: string, mail: Mail): Promise<void> {
  const { orgId, id, projectId, ownerId } = source
  const path = `/knowledge?source=${id}`
  const recipients = await listRecipients(ctx.sql, orgId, ownerId)
  await notify(
    ctx,
    orgId,
    recipients,
    { kind: 'schedule', key: `source-${id}-${event}`, path, projectId },
    (words) => {
      const { subject, text } = mail(words)
      const { t } = words
      return { subject, text: [text, t`Open the sources: ${ctx.mail.linkTo(path)}`].join('\n\n') }
    },
  )
}
