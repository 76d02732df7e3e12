import type { live } from '../../../../contract/canvas/live.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../errors.ts'
import type { Hub } from './hub.ts'
import { tellPresence } from './queries.ts'

const NAMELESS = 'Guest'

/** A guest is called what they like, but is always told apart from members. */
export async function sayPresence(hub: Hub, ctx: Context, input: InputOf<typeof live.presence>) {
  const { orgId, userId, share, credentialId } = ctx.caller
  if (share && !hub.mayTell(credentialId))
    throw new ApiError('RATE_LIMITED', 'Too many guests are moving at once')
  const { projectId, client, cursor, selection, name = NAMELESS } = input
  const presence = {
    client,
    userId: share ? null : userId,
    guest: share !== undefined,
    name,
    cursor,
    selection,
  }
  if (!(await tellPresence(ctx.sql, orgId, projectId, ctx.caller, presence))) throw notFound('Project')
  return { told: true as const }
}
