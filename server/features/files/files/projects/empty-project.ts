import type { EmptyProject } from '../../../../feature.ts'
import { removeUnownedObjects } from '../trash/purge.ts'
import { lockTree } from '../tree/folder-queries.ts'
import { deleteFoldersOf, deleteRecordsOf } from './empty-queries.ts'

/** Deletes the files and folders of a purged project, also those that were in the trash before it. */
export const emptyProjectFiles: EmptyProject = async (ctx, { orgId, id }, limit) => {
  await lockTree(ctx.sql, orgId, 'change')
  const records = await deleteRecordsOf(ctx.sql, orgId, id, limit)
  if (records.count === 0) return deleteFoldersOf(ctx.sql, orgId, id, limit)
  await removeUnownedObjects(ctx, orgId, records.keys)
  return records.count
}
