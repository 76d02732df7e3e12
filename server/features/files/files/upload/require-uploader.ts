import type { PublicContext } from '../../../../context.ts'
import { unauthorized } from '../../../../errors.ts'
import { findRole } from '../../../organizations/membership/membership.ts'
import type { FileRow } from '../records.ts'
import { lockDestination } from '../tree/folder-queries.ts'

/**
 * A signed URL is the only credential of an upload. It becomes invalid when its creator can no longer add files to the
 * folder, or when the organization is suspended.
 */
export async function requireUploader(
  { sql, suspensions }: Pick<PublicContext, 'sql' | 'suspensions'>,
  { orgId, createdBy, parentId }: FileRow,
): Promise<void> {
  suspensions.requireActive(orgId)
  const role = await findRole(sql, orgId, createdBy)
  const folder = role && (await lockDestination(sql, { orgId, userId: createdBy, role }, parentId))
  if (folder?.access === 'edit') return
  throw unauthorized('The creator of this upload URL no longer has access to the folder', {
    reason: 'access_lost',
  })
}
