import type { live } from '../../../../../contract/canvas/live.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, notFound } from '../../../../errors.ts'
import type { ProjectChannel } from './project-channel.ts'
import { notifyPresence } from './queries.ts'

const DEFAULT_GUEST_NAME = 'Guest'

/** A guest chooses a name; `guest` and `userId` come from the credential, so a guest never appears as a member. */
export async function reportPresence(
  channel: ProjectChannel,
  ctx: Context,
  input: InputOf<typeof live.presence>,
) {
  const { orgId, userId, share, credentialId } = ctx.caller
  if (share && !channel.tryReportAsGuest(credentialId))
    throw new ApiError('RATE_LIMITED', 'Too many guests are moving at the same time')
  const { projectId, client, cursor, selection, name = DEFAULT_GUEST_NAME } = input
  const presence = {
    client,
    userId: share ? null : userId,
    guest: share !== undefined,
    name,
    cursor,
    selection,
  }
  if (!(await notifyPresence(ctx.sql, orgId, projectId, ctx.caller, presence))) throw notFound('Project')
  return { told: true as const }
}
