import { FILE_VERSION_DAYS } from '../../../../contract/files/file-versions.ts'
import type { JobContext } from '../../../context.ts'
import { removeUnownedObjects } from '../trash/purge.ts'
import { deleteVersions, listExpired } from './version-queries.ts'

const BATCH = 500
const DAY_MS = 86_400_000

/** Removes versions that another content replaced long ago. */
export async function expireVersions(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - FILE_VERSION_DAYS * DAY_MS)
  for (;;) {
    const expired = await listExpired(ctx.sql, before, BATCH)
    for (const orgId of new Set(expired.map((version) => version.orgId))) {
      const ids = expired.filter((version) => version.orgId === orgId).map(({ id }) => id)
      await ctx.transaction(async (inside) => {
        await removeUnownedObjects(inside, orgId, await deleteVersions(inside.sql, orgId, ids))
      })
    }
    if (expired.length < BATCH) return
  }
}
