import { describeCron } from '../../../../contract/agents/describe-cron.ts'
import { PAUSE_REASONS, type PauseReason } from '../../../../contract/agents/schedule-options.ts'
import type { schedules } from '../../../../contract/agents/schedules.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, JobContext } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { requireTiming, timeAfter, timesAfter } from './cron.ts'
import * as queries from './queries.ts'
import { listRecipients, updatePaused } from './queries.ts'
import { present, type ScheduleRow } from './records.ts'
import { resolveScheduleTarget } from './target.ts'

const PREVIEW_RUNS = 3

export const getSchedule = async (ctx: Context, { id }: InputOf<typeof schedules.get>) =>
  present(await queries.findSchedule(ctx, id), ctx.now())

export async function listSchedules(
  ctx: Context<'vault'>,
  { limit, cursor, projectId, agentId }: InputOf<typeof schedules.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const list = `schedules ${orgId} ${userId} ${project ?? ''} ${agentId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const filter = { projectId: project, agentId }
  const rows = await queries.listSchedules(ctx.sql, ctx.caller, filter, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, (row) => present(row, ctx.now()))
}

export async function previewTimes(ctx: Context, timing: InputOf<typeof schedules.preview>) {
  requireTiming(timing, ctx.now(), 'query.cron')
  const times = timesAfter(timing, ctx.now(), PREVIEW_RUNS)
  return { description: describeCron(timing.cron), nextRuns: times.map((time) => time.toISOString()) }
}

export const createSchedule = (ctx: Context<'quotas'>, input: InputOf<typeof schedules.create>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const now = ctx.now()
    const { cron, timeZone, enabled } = input
    const project = await findProject(inside, input.projectId, 'edit')
    requireTiming({ cron, timeZone }, now, 'body.cron')
    const target = await resolveScheduleTarget(inside, project, input)
    const schedule = {
      ...target,
      ...ownerOf(ctx),
      id: newId(),
      name: input.name ?? target.name,
      projectId: project.id,
      cron,
      timeZone,
      enabled,
      nextRunAt: enabled ? timeAfter({ cron, timeZone }, now) : null,
      now,
    }
    await queries.insertSchedule(inside.sql, orgId, schedule)
    queries.wakeWorkers(inside.sql)
    await ctx.quotas.requireWithin(inside.sql, orgId, 'schedules', now)
    await audit(inside, 'schedule.created', schedule)
    return getSchedule(inside, schedule)
  })

/** A changed action runs with the permissions of the member who changed it. */
export const updateSchedule = (
  ctx: Context,
  { id, name, enabled, cron, timeZone, ...target }: InputOf<typeof schedules.update>,
) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const now = ctx.now()
    const { projectId } = await queries.findSchedule(inside, id, 'edit')
    const before = (await queries.lockSchedule(inside.sql, orgId, id)) ?? raise(notFound('Schedule'))
    const timing = { cron: cron ?? before.cron, timeZone: timeZone ?? before.timeZone }
    const isRetimed = timing.cron !== before.cron || timing.timeZone !== before.timeZone
    if (isRetimed) requireTiming(timing, now, 'body.cron')
    const isRetargeted = Object.values(target).some((value) => value !== undefined)
    const project = await findProject(inside, projectId, 'edit')
    const after: ScheduleRow = {
      ...before,
      ...timing,
      ...(isRetargeted && (await resolveScheduleTarget(inside, project, mergeTarget(before, target)))),
      name: name ?? before.name,
      enabled: enabled ?? before.enabled,
    }
    const isTakenOver = isRetimed || isRetargeted || enabled === true
    if (isTakenOver) Object.assign(after, ownerOf(ctx), { pausedReason: null, pausedAt: null })
    const isPlanned = after.enabled && after.pausedReason === null
    const isUnchanged = isPlanned && !isRetimed && before.nextRunAt !== null
    const nextRunAt = isUnchanged ? new Date(before.nextRunAt!) : isPlanned ? timeAfter(timing, now) : null
    await queries.updateSchedule(inside.sql, orgId, { ...after, nextRunAt }, now)
    queries.wakeWorkers(inside.sql)
    await audit(inside, 'schedule.updated', after)
    return getSchedule(inside, { id })
  })

export const deleteSchedule = (ctx: Context, { id }: InputOf<typeof schedules.remove>) =>
  ctx.transaction(async (inside) => {
    const schedule = await queries.findSchedule(inside, id, 'edit')
    await queries.deleteSchedule(inside.sql, ctx.caller.orgId, id)
    await audit(inside, 'schedule.deleted', schedule)
    return { deleted: true as const }
  })

type Target = Pick<InputOf<typeof schedules.update>, 'agentId' | 'message' | 'blockId'>

/** A new block replaces agent and message, and vice versa. */
const mergeTarget = (before: ScheduleRow, { agentId, message, blockId }: Target): Target =>
  blockId === undefined
    ? { agentId: agentId ?? before.agentId ?? undefined, message: message ?? before.message ?? undefined }
    : { agentId, message, blockId }

const ownerOf = ({ caller }: Context) => ({
  ownerId: caller.userId,
  keyId: caller.via === 'key' ? caller.credentialId : null,
})

type AuditedSchedule = Pick<ScheduleRow, 'id' | 'name' | 'cron' | 'timeZone' | 'projectId'>

const audit = (
  ctx: Context,
  action: 'schedule.created' | 'schedule.updated' | 'schedule.deleted',
  { id, name, cron, timeZone, projectId }: AuditedSchedule,
) => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name, cron, timeZone, projectId } })

export async function pause(
  ctx: JobContext<'mail' | 'vault'>,
  schedule: ScheduleRow,
  reason: PauseReason,
): Promise<void> {
  const { sql } = ctx
  const { orgId, id, name, ownerId } = schedule
  const now = ctx.now()
  await updatePaused(sql, orgId, id, reason, now)
  await recordAudit(ctx, {
    action: 'schedule.paused',
    by: { orgId, userId: ownerId, via: 'system' },
    target: id,
    details: { name, reason },
  })
  const line = name.replace(/\s+/g, ' ')
  const key = `schedule-${id}-paused-${now.getTime()}`
  await notify(
    ctx,
    orgId,
    await listRecipients(sql, orgId, ownerId),
    { kind: 'schedule', key, path: '/schedules', projectId: schedule.projectId },
    ({ t, textWithNames, translate }) => ({
      subject: textWithNames`The schedule “${line}” is paused`,
      text: [
        t`${translate(PAUSE_REASONS[reason])} It won’t start runs until a member resumes it.`,
        t`Open the schedules: ${ctx.mail.linkTo('/schedules')}`,
      ].join('\n\n'),
    }),
  )
}
