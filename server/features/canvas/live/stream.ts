import type { live } from '../../../../contract/canvas/live.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { unauthorized } from '../../../errors.ts'
import { STREAM_HEADERS } from '../../../streams/live-events.ts'
import { isCredentialValid } from '../../accounts/accounts.ts'
import { findProject } from '../../projects/projects.ts'
import type { Hub } from './hub.ts'
import { findChangeTime, isStillShared } from './queries.ts'

/** Whoever is further behind reads the canvas anew, which is less. */
const BEHIND_MAX = 10_000

/** The changes of a canvas as they happen, from where the caller had come to. */
export async function followCanvas(hub: Hub, ctx: Context, input: InputOf<typeof live.stream>) {
  const { client, byteRequest } = input
  const { orgId, userId, share, credentialId } = ctx.caller
  const { id: projectId } = await findProject(ctx, input.projectId)
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers: STREAM_HEADERS } })
  const asked = numberOf(byteRequest.lastEventId) ?? input.since
  const content = await hub.follow({
    orgId,
    projectId,
    userId,
    link: share ? credentialId : null,
    who: client ? { client, userId: share ? null : userId } : null,
    check: () => present(ctx, projectId),
    begin: (present) => beginningOf(ctx, projectId, asked, present),
    until: share?.until ?? null,
  })
  return reply(null, { bytes: { content, headers: STREAM_HEADERS } })
}

/** Asked of somebody who was let in a moment ago, or long before: that which let them in may be gone by now. */
async function present(ctx: Context, projectId: string): Promise<number> {
  const { sql, caller, now } = ctx
  const isIn = caller.share
    ? await isStillShared(sql, caller.orgId, caller)
    : await isCredentialValid(sql, caller, now())
  if (!isIn) throw unauthorized('This way in has ended')
  return (await findProject(ctx, projectId)).changeSeq
}

async function beginningOf(ctx: Context, projectId: string, asked: number | undefined, present: number) {
  if (asked === undefined || asked === present) return { from: present, isReset: false }
  const isFar = asked > present || present - asked > BEHIND_MAX
  const isReset = isFar || (await isBeforeTheyCame(ctx, projectId, asked + 1))
  return { from: isReset ? present : asked, isReset }
}

/** History is for members: a guest catches up on what they could have watched, and not on what was there before. */
async function isBeforeTheyCame({ sql, caller }: Context, projectId: string, seq: number): Promise<boolean> {
  if (!caller.share) return false
  const at = await findChangeTime(sql, caller.orgId, projectId, seq)
  return at === null || new Date(at) < caller.share.since
}

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
