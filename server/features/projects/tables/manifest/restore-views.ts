import { isDeepStrictEqual } from 'node:util'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import type { ManifestView, StoredView } from './portable-tables.ts'

interface Views {
  views: readonly ManifestView[]
  existing: readonly StoredView[]
  /** Gets the ids here by ids in the manifest. */
  ids: Map<string, string>
  deletesOthers: boolean
}

/** Returns whether a view has changed. A view may name a removed column, as views do whose column was removed. */
export async function restoreViews(
  { sql, now }: Context,
  { orgId, id: tableId }: { orgId: string; id: string },
  { views, existing, ids, deletesOthers }: Views,
): Promise<boolean> {
  const named = new Set(views.map(({ id }) => id))
  const others = existing.filter(({ manifestId }) => !named.has(manifestId))
  let hasChanged = deletesOthers && others.length > 0
  if (hasChanged)
    await sql`
      delete from table_views where org_id = ${orgId} and table_id = ${tableId}
        and id = any(${others.map(({ id }) => id)}::uuid[])`
  if (views.length + (deletesOthers ? 0 : others.length) > TABLE_LIMITS.views)
    throw new ApiError('CONFLICT', `A table can have ${TABLE_LIMITS.views} views: delete one first`, {
      details: { reason: 'too_many_views' },
    })
  for (const { id: manifestId, name: given, settings } of views) {
    const name = toDisplayName(given, TABLE_LIMITS.name) || 'View'
    const stored = existing.find((view) => view.manifestId === manifestId)
    const id = stored?.id ?? newId()
    ids.set(manifestId, id)
    if (stored?.name === name && isDeepStrictEqual(stored.settings, settings)) continue
    hasChanged = true
    if (stored)
      await sql`
        update table_views set name = ${name}, settings = ${sql.json(settings)}, updated_at = ${now()}
        where org_id = ${orgId} and table_id = ${tableId} and id = ${id}`
    else
      await sql`
        insert into table_views (org_id, id, manifest_id, table_id, name, settings, created_at, updated_at)
        values (${orgId}, ${id}, ${manifestId}, ${tableId}, ${name}, ${sql.json(settings)}, ${now()}, ${now()})`
  }
  return hasChanged
}
