import { FILE_VERSIONS_MAX } from '../../../../../contract/files/file-versions.ts'
import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { recordChange, stateBefore } from '../changes/record-change.ts'
import { publishFileEvent } from '../events.ts'
import type { FileRow } from '../records.ts'
import { removeUnownedObjects } from '../trash/purge.ts'
import { deleteOldest, replaceContent, type StoredContent } from './version-queries.ts'

/** Replaces the content of a locked file. The previous content becomes a version; the oldest version may be deleted. */
export async function replaceFile(ctx: Context, id: string, content: StoredContent): Promise<FileRow> {
  const { orgId, userId, via, credentialId } = ctx.caller
  await ctx.quotas.reserve(ctx.sql, orgId, { storage: content.size })
  const before = await stateBefore(ctx, id)
  const versionId = newId()
  const runId = via === 'run' ? credentialId : undefined
  const change = { ...content, id, versionId, runId, by: userId, now: ctx.now() }
  const row = await replaceContent(ctx.sql, orgId, change)
  await recordChange(ctx, { id, before, formerId: versionId })
  // The limit includes the current version.
  await removeUnownedObjects(ctx, orgId, await deleteOldest(ctx.sql, orgId, id, FILE_VERSIONS_MAX - 1))
  await publishFileEvent(ctx, 'file.updated', row)
  return row
}
