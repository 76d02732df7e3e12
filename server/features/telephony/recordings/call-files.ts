import { type Context, createContext, type JobContext } from '../../../context.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import { addProjectFile, type NewProjectFile } from '../../files/files/files.ts'
import type { CallRow } from '../calls/call.ts'

export const FOLDER = 'Calls'

const OBSTACLES = {
  owner_left: 'The member whose permissions the call used has left the organization',
  access_lost: 'The member whose permissions the call used can no longer edit the project',
  project_deleted: 'The call’s project was deleted',
}

/** Shown to users. */
export class NotStored extends Error {}

/** Uses the call's member's current permissions. */
export async function addCallFile(
  ctx: JobContext<'objects' | 'quotas'>,
  orgId: string,
  { id, projectId }: Pick<CallRow, 'id' | 'projectId'>,
  userId: string,
  file: Pick<NewProjectFile, 'name' | 'mimeType' | 'content'>,
  record: (inside: Context, fileId: string) => Promise<void>,
): Promise<void> {
  const member = await resolveActingMember(ctx.sql, orgId, { userId, projectId, credentialId: id })
  if (member.caller === null) throw new NotStored(OBSTACLES[member.obstacle])
  const acting = createContext({ ...ctx, caller: member.caller })
  await addProjectFile(acting, { ...file, projectId, folder: FOLDER }, record)
}

/** Sorts by time: `2026-11-16 19.20 +4930123456`. */
export function callFileName({ direction, from, to, startedAt }: CallRow): string {
  const [date, time] = startedAt.split('T')
  return `${date} ${time!.slice(0, 5).replace(':', '.')} ${direction === 'inbound' ? from : to}`
}
