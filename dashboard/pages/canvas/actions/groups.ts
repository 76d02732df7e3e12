import type { Block, Items } from '../store/items.ts'
import type { Wanted } from '../store/write.ts'
import { type Box, boundsOf } from './arrange.ts'
import { newBlock } from './new-block.ts'

const PADDING = 24
/** Room for the name of the group above what is in it. */
const HEAD = 40

/** Everything inside, however deep: what moves along with a group. */
export function membersOf(ids: Iterable<string>, blocks: Items['blocks']): Set<string> {
  const inside = new Map<string, string[]>()
  for (const { id, parentId } of blocks.values()) {
    if (!parentId) continue
    const siblings = inside.get(parentId)
    if (siblings) siblings.push(id)
    else inside.set(parentId, [id])
  }
  const found = new Set<string>()
  const open = [...ids]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const member of inside.get(id) ?? []) {
      if (found.has(member)) continue
      found.add(member)
      open.push(member)
    }
  }
  return found
}

/** Those that are in none of the others: a group that is chosen with its members counts once. */
export function outermost(ids: Iterable<string>, blocks: Items['blocks']): string[] {
  const chosen = [...ids]
  const inside = membersOf(chosen, blocks)
  return chosen.filter((id) => !inside.has(id))
}

/** A group around what is chosen, in the group that all of it is in already, if it is in one. */
export function grouped(
  ids: Iterable<string>,
  blocks: Items['blocks'],
): { id: string; wanted: Wanted } | undefined {
  const chosen = outermost(ids, blocks).flatMap((id) => blocks.get(id) ?? [])
  if (chosen.length === 0) return undefined
  const around = boundsOf(chosen)
  const parents = new Set(chosen.map(({ parentId }) => parentId))
  const group = newBlock('group', {
    x: around.x - PADDING,
    y: around.y - HEAD,
    width: around.width + 2 * PADDING,
    height: around.height + HEAD + PADDING,
    title: 'Group',
    parentId: parents.size === 1 ? chosen[0]!.parentId : null,
  })
  return {
    id: group.id,
    wanted: {
      create: { blocks: [group] },
      update: { blocks: chosen.map(({ id }) => ({ id, parentId: group.id })) },
    },
  }
}

/** Takes groups away; what was in them stays, in the group around. */
export function ungrouped(
  ids: Iterable<string>,
  blocks: Items['blocks'],
): { members: string[]; wanted: Wanted } {
  const groups = [...ids].flatMap((id) => blocks.get(id) ?? []).filter(({ type }) => type === 'group')
  const gone = new Map(groups.map((group) => [group.id, group]))
  const members = [...blocks.values()].filter(
    ({ id, parentId }) => parentId !== null && gone.has(parentId) && !gone.has(id),
  )
  const home = (block: Block): string | null => {
    const group = block.parentId === null ? undefined : gone.get(block.parentId)
    return group ? home(group) : block.parentId
  }
  return {
    members: members.map(({ id }) => id),
    wanted: {
      update: { blocks: members.map((block) => ({ id: block.id, parentId: home(block) })) },
      delete: { blocks: [...gone.keys()] },
    },
  }
}

/** The group that something would land in: the smallest one that has its middle. */
export function groupAt(box: Box, blocks: Items['blocks'], except: ReadonlySet<string>): Block | undefined {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  let best: Block | undefined
  for (const block of blocks.values()) {
    if (block.type !== 'group' || block.locked || except.has(block.id) || !contains(block, middle)) continue
    if (!best || block.width * block.height < best.width * best.height) best = block
  }
  return best
}

const contains = (box: Box, { x, y }: Pick<Box, 'x' | 'y'>) =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
