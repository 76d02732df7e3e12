import { t } from '../../../../contract/text.ts'
import type { Block, Items } from '../store/items.ts'
import type { WriteInput } from '../store/write.ts'
import { type Box, boundingBox } from './arrange.ts'
import { newBlock } from './new-block.ts'

const PADDING = 24
/** Room for the group's name. */
const HEADER = 40

/** Includes nested members. */
export function collectMembers(ids: Iterable<string>, blocks: Items['blocks']): Set<string> {
  const children = new Map<string, string[]>()
  for (const { id, parentId } of blocks.values()) {
    if (!parentId) continue
    const siblings = children.get(parentId)
    if (siblings) siblings.push(id)
    else children.set(parentId, [id])
  }
  const members = new Set<string>()
  const queue = [...ids]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const member of children.get(id) ?? []) {
      if (members.has(member)) continue
      members.add(member)
      queue.push(member)
    }
  }
  return members
}

/** A group selected with its members counts once. */
export function outermost(ids: Iterable<string>, blocks: Items['blocks']): string[] {
  const selected = [...ids]
  const inside = collectMembers(selected, blocks)
  return selected.filter((id) => !inside.has(id))
}

/** Nests the group in the blocks' common parent. */
export function groupWrite(
  ids: Iterable<string>,
  blocks: Items['blocks'],
): { id: string; write: WriteInput } | undefined {
  const selected = outermost(ids, blocks).flatMap((id) => blocks.get(id) ?? [])
  if (selected.length === 0) return undefined
  const bounds = boundingBox(selected)
  const parents = new Set(selected.map(({ parentId }) => parentId))
  const group = newBlock('group', {
    x: bounds.x - PADDING,
    y: bounds.y - HEADER,
    width: bounds.width + 2 * PADDING,
    height: bounds.height + HEADER + PADDING,
    title: t`Group`,
    parentId: parents.size === 1 ? selected[0]!.parentId : null,
  })
  return {
    id: group.id,
    write: {
      create: { blocks: [group] },
      update: { blocks: selected.map(({ id }) => ({ id, parentId: group.id })) },
    },
  }
}

/** Members move to the parent group. */
export function ungroupWrite(
  ids: Iterable<string>,
  blocks: Items['blocks'],
): { members: string[]; write: WriteInput } {
  const groups = [...ids].flatMap((id) => blocks.get(id) ?? []).filter(({ type }) => type === 'group')
  const deletedGroups = new Map(groups.map((group) => [group.id, group]))
  const members = [...blocks.values()].filter(
    ({ id, parentId }) => parentId !== null && deletedGroups.has(parentId) && !deletedGroups.has(id),
  )
  const newParent = (block: Block): string | null => {
    const group = block.parentId === null ? undefined : deletedGroups.get(block.parentId)
    return group ? newParent(group) : block.parentId
  }
  return {
    members: members.map(({ id }) => id),
    write: {
      update: { blocks: members.map((block) => ({ id: block.id, parentId: newParent(block) })) },
      delete: { blocks: [...deletedGroups.keys()] },
    },
  }
}

/** The smallest group containing the box's center. */
export function groupAt(
  box: Box,
  blocks: Items['blocks'],
  except: { has: (id: string) => boolean },
): Block | undefined {
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  let smallest: Block | undefined
  for (const block of blocks.values()) {
    if (block.type !== 'group' || block.locked || except.has(block.id) || !contains(block, center)) continue
    if (!smallest || block.width * block.height < smallest.width * smallest.height) smallest = block
  }
  return smallest
}

const contains = (box: Box, { x, y }: Pick<Box, 'x' | 'y'>) =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
