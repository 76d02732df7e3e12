import type { Context } from '../../../../context.ts'
import type { EngineRun } from '../../../agents/runs/runs.ts'
import type { ForEach } from '../steps.ts'
import { itemsIn, toNewItems } from './items.ts'
import type { NewItem } from './list-queries.ts'

const PAGE_ITEMS = 5000

interface PageRequest {
  over: ForEach['over']
  cursor: string
  /** Items so far. */
  listed: number
  source: () => Promise<{ output: unknown }>
}

export async function nextPage(
  _ctx: Context,
  _run: EngineRun,
  { over, cursor, listed, source }: PageRequest,
): Promise<{ items: NewItem[]; cursor: string | null } | { error: string }> {
  switch (over.from) {
    case 'values':
      return { items: toNewItems(over.values), cursor: null }
    case 'output': {
      const found = itemsIn((await source()).output, over.path)
      return 'error' in found ? found : pageOf(found.items, cursor, listed)
    }
  }
}

function pageOf(items: readonly unknown[], cursor: string, listed: number) {
  const at = Number(cursor)
  const page = items.slice(at, at + PAGE_ITEMS)
  const next = at + page.length
  return { items: toNewItems(page, listed), cursor: next < items.length ? String(next) : null }
}
