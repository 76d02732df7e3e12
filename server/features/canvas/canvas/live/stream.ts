import type { LiveEvents, live } from '../../../../../contract/canvas/live.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError, notFound, unauthorized } from '../../../../errors.ts'
import { PROJECT_CHANNEL } from '../../../../streams/notify.ts'
import { SSE_HEADERS } from '../../../../streams/sse-connection.ts'
import { streamOpeners } from '../../../../streams/stream-slots.ts'
import { isCredentialValid } from '../../../accounts/accounts/accounts.ts'
import { memberProjectAccess, projectAccess } from '../../../projects/access/access.ts'
import { findProject, matchesRef } from '../../../projects/projects/projects.ts'
import type { ProjectChannel } from './project-channel.ts'

/** Beyond this, reloading is less work. */
const REPLAY_MAX = 10_000

export async function followCanvas(
  channel: ProjectChannel,
  ctx: Context,
  input: InputOf<typeof live.stream>,
) {
  const { client, byteRequest } = input
  const { orgId, userId, share } = ctx.caller
  const { id: projectId } = await findProject(ctx, input.projectId)
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers: SSE_HEADERS } })
  const since = parseSeq(byteRequest.lastEventId) ?? input.since
  const content = await channel.follow({
    orgId,
    projectId,
    userId,
    openers: streamOpeners(ctx.caller),
    seesComments: share?.comments ?? true,
    client: client ? { client, userId: share ? null : userId } : null,
    isAllowed: () => isAllowed(ctx, projectId),
    start: () => start(ctx, projectId, since),
    expiresAt: share?.until ?? null,
  })
  return reply(null, { bytes: { content, headers: SSE_HEADERS } })
}

async function isAllowed(ctx: Context, projectId: string): Promise<boolean> {
  try {
    await requireAccess(ctx, projectId)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** The credential may have been revoked since the request was authorized. */
async function requireAccess(ctx: Context, projectId: string) {
  const { sql, caller, now } = ctx
  if (caller.share) {
    if (!(await isStillShared(sql, caller.orgId, caller)))
      throw unauthorized('The share link is no longer valid')
  } else if (!(await isCredentialValid(sql, caller, now()))) {
    throw unauthorized('Your session or API key is no longer valid')
  }
  return findProject(ctx, projectId)
}

async function start(ctx: Context, projectId: string, since: number | undefined) {
  const { changeSeq: seq, prunedSeq } = await requireAccess(ctx, projectId)
  if (since === undefined || since === seq) return { seq, from: seq, isReset: false }
  const isReset =
    since > seq ||
    since < prunedSeq ||
    seq - since > REPLAY_MAX ||
    (await isBeforeGuestJoined(ctx, projectId, since + 1))
  return { seq, from: isReset ? seq : since, isReset }
}

/** History is for members. A guest receives only changes made after opening the link. */
async function isBeforeGuestJoined(
  { sql, caller }: Context,
  projectId: string,
  seq: number,
): Promise<boolean> {
  if (!caller.share) return false
  const at = await findChangeTime(sql, caller.orgId, projectId, seq)
  return at === null || new Date(at) < caller.share.since
}

const parseSeq = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const DEFAULT_GUEST_NAME = 'Guest'

/** `guest` and `userId` come from the credential, so a guest never appears as a member. */
export async function reportPresence(
  channel: ProjectChannel,
  ctx: Context,
  input: InputOf<typeof live.presence>,
) {
  const { orgId, userId, share, credentialId } = ctx.caller
  if (share && !channel.tryReportAsGuest(credentialId))
    throw new ApiError('RATE_LIMITED', 'Too many guests are moving at the same time')
  const { projectId, client, cursor, selection, tableId, name = DEFAULT_GUEST_NAME } = input
  const presence = {
    client,
    userId: share ? null : userId,
    guest: share !== undefined,
    name,
    cursor,
    selection,
    tableId,
  }
  if (!(await notifyPresence(ctx.sql, orgId, projectId, ctx.caller, presence))) throw notFound('Project')
  return { told: true as const }
}

/**
 * One statement, because pointers move many times a second. A member's name comes from their account. False if the
 * caller can't see the project.
 */
async function notifyPresence(
  sql: Sql,
  orgId: string,
  ref: string,
  caller: Caller,
  presence: LiveEvents['presence'],
): Promise<boolean> {
  const rows = await sql`
    select pg_notify(${PROJECT_CHANNEL}, jsonb_build_object(
      'orgId', p.org_id, 'projectId', p.id, 'kind', 'presence',
      'presence', ${sql.json({ ...presence })}::jsonb || jsonb_build_object('name', coalesce(u.name, ${presence.name}))
    )::text)
    from projects p left join users u on u.id = ${presence.userId}, lateral (select ${projectAccess(sql, caller)} as access) a
    where p.org_id = ${orgId} and ${matchesRef(sql, ref)} and p.deleted_at is null and a.access is not null`
  return rows.length > 0
}

/** The link's creator must still be allowed to share. `accessOf` checks the link and its version. */
async function isStillShared(sql: Sql, orgId: string, { userId, share }: Caller): Promise<boolean> {
  const rows = await sql`
    select from memberships m join projects p on p.org_id = m.org_id and p.id = ${share?.projectId ?? null}
    where m.org_id = ${orgId} and m.user_id = ${userId} and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} = 'edit'`
  return rows.length > 0
}

/** Combined changes leave gaps, so this uses the next number. */
async function findChangeTime(sql: Sql, orgId: string, projectId: string, seq: number) {
  const [row] = await sql<{ createdAt: string }[]>`
    select created_at as "createdAt" from canvas_changes
    where org_id = ${orgId} and project_id = ${projectId} and seq >= ${seq} order by seq limit 1`
  return row?.createdAt ?? null
}
