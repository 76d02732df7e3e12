import type { live } from '../../../../../contract/canvas/live.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError, unauthorized } from '../../../../errors.ts'
import { SSE_HEADERS } from '../../../../streams/sse-connection.ts'
import { streamOpenersOf } from '../../../../streams/stream-slots.ts'
import { isCredentialValid } from '../../../accounts/accounts/accounts.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import type { ProjectChannel } from './project-channel.ts'
import { findChangeTime, isStillShared } from './queries.ts'

/** Beyond this many missed changes it is less work to reload the canvas. */
const REPLAY_MAX = 10_000

/** The changes of a canvas as they happen, starting after the last change the client has. */
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
    openers: streamOpenersOf(ctx.caller),
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

/** The request was authorized before the stream joined its topic; the credential may have been revoked since. */
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

/** History is for members: a guest receives only changes made after they opened the link. */
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
