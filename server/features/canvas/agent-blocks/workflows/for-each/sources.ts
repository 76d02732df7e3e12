import { ITEMS_MAX } from '../../../../../../contract/canvas/block-steps.ts'
import type { Context } from '../../../../../context.ts'
import type { EngineRun } from '../../../../agents/runs/runs.ts'
import { selectRowItems } from '../../../../projects/tables/tables.ts'
import type { ForEach } from '../../steps.ts'
import { itemsIn, toNewItems } from './items.ts'
import { insertItems, insertSelected, type ListRow, selectFiles } from './list-queries.ts'

const PAGE_ITEMS = 5000

interface PageRequest {
  over: ForEach['over']
  list: ListRow
  source: () => Promise<{ output: unknown }>
}

/** Returns why the list can't be read. */
export async function listNextPage(
  ctx: Context,
  { orgId, projectId }: EngineRun,
  { over, list, source }: PageRequest,
): Promise<string | null> {
  const { sql } = ctx
  switch (over.from) {
    case 'rows': {
      const { items } = await selectRowItems(ctx, projectId, over)
      await insertSelected(sql, orgId, list.id, { items, key: 'rowId', max: ITEMS_MAX })
      return null
    }
    case 'files': {
      const items = selectFiles(sql, orgId, projectId, over)
      await insertSelected(sql, orgId, list.id, { items, key: 'fileId', max: ITEMS_MAX })
      return null
    }
    case 'values':
      await insertItems(sql, orgId, list.id, toNewItems(over.values), null)
      return null
    case 'output': {
      const found = itemsIn((await source()).output, over.path)
      if ('error' in found) return found.error
      const at = Number(list.cursor)
      const page = found.items.slice(at, at + PAGE_ITEMS)
      const next = at + page.length
      const cursor = next < found.items.length ? String(next) : null
      await insertItems(sql, orgId, list.id, toNewItems(page, list.total), cursor)
      return null
    }
  }
}
