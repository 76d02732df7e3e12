import type { forEach } from '../../../../../../contract/canvas/for-each.ts'
import type { InputOf } from '../../../../../../contract/endpoint.ts'
import type { Context } from '../../../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../../../database/cursor.ts'
import { badField } from '../../../../../errors.ts'
import { presentAgentRun } from '../../../../agents/runs/runs.ts'
import { blockName } from '../block-name.ts'
import { type ListRow, listItems, listLists, listTitles } from './list-queries.ts'

export async function readLists(ctx: Context, { id }: InputOf<typeof forEach.lists>) {
  const { sql, caller } = ctx
  await presentAgentRun(ctx, id)
  const [lists, titles] = await Promise.all([
    listLists(sql, caller.orgId, id),
    listTitles(sql, caller.orgId, id),
  ])
  const names = new Map(titles.map(({ blockId, ...block }) => [blockId, blockName(block)]))
  return { items: lists.map((list) => present(list, names.get(list.blockId) ?? '')) }
}

export async function readItems(
  ctx: Context<'vault'>,
  { id, listId, state, cursor, limit }: InputOf<typeof forEach.items>,
) {
  const { sql, caller, vault } = ctx
  await presentAgentRun(ctx, id)
  const lists = await listLists(sql, caller.orgId, id)
  const list = listId === undefined ? lists[0] : lists.find((each) => each.id === listId)
  if (listId !== undefined && !list) throw badField('query.listId', 'is not a list of this run')
  if (!list) return { items: [], nextCursor: null }
  const name = `items ${list.id} ${state ?? ''}`
  const after = Number(decodeCursor(vault, name, cursor) ?? 0)
  const rows = await listItems(sql, caller.orgId, list.id, { state, after, limit: limit + 1 })
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map((item) => ({ ...item, cost: money(item.cost) })),
    nextCursor: rows.length > limit && last ? encodeCursor(vault, name, String(last.n)) : null,
  }
}

function present(list: ListRow, title: string) {
  const { id, blockId, total, running, done, failed, cost, preview } = list
  const ended = done + failed
  const remaining = Math.max(0, total - ended)
  const estimate = ended === 0 ? null : money(((Number(cost) / ended) * remaining).toFixed(6))
  return {
    id,
    blockId,
    title,
    total,
    running,
    done,
    failed,
    cost: money(cost),
    estimate,
    isPreview: preview !== null,
  }
}

const money = (amount: string) => ({ amount, currency: 'USD' as const })
