/** `key` is unique in this layout. `parent` is the group's key. */
export interface Box {
  key: string
  parent: string | null
  x: number | undefined
  y: number | undefined
  width: number
  height: number
}

type PlacedBox = Box & { x: number; y: number }
export type Rect = Pick<PlacedBox, 'x' | 'y' | 'width' | 'height'>

const GAP = 40
const PADDING = 24
/** A group's title is above its blocks. */
const HEADER = 48
const ROW_WIDTH = 1200

const isPlaced = (box: Box): box is PlacedBox => box.x !== undefined && box.y !== undefined

/**
 * In rows below everything else, or inside their group below its other blocks. Groups grow as needed. Returns changed
 * boxes, including existing groups.
 */
export function layOut(existing: readonly PlacedBox[], created: readonly Box[]): Map<string, Rect> {
  const changed = new Map<string, Rect>()
  const rects = new Map<string, Box>([...existing, ...created].map((box) => [box.key, { ...box }]))
  const unplacedByParent = Map.groupBy(
    created.filter((box) => !isPlaced(box)),
    ({ parent }) => (parent !== null && rects.has(parent) ? parent : null),
  )
  const isNew = new Set(created.map(({ key }) => key))

  /** A new group's size follows from its blocks, so innermost groups come first. */
  const sizeOf = (key: string, ancestors: ReadonlySet<string>): Box => {
    const box = rects.get(key)!
    const inside = unplacedByParent.get(key)
    if (!inside || !isNew.has(key) || ancestors.has(key)) return box
    for (const child of inside) sizeOf(child.key, new Set([...ancestors, key]))
    const rows = flow(
      inside.map((child) => rects.get(child.key)!),
      Math.max(box.width - 2 * PADDING, ROW_WIDTH / 2),
    )
    box.width = Math.max(box.width, rows.width + 2 * PADDING)
    box.height = Math.max(box.height, rows.height + HEADER + PADDING)
    return box
  }

  const fill = (
    parent: string | null,
    origin: { x: number; y: number },
    width: number,
    ancestors: ReadonlySet<string>,
  ) => {
    const boxes = (unplacedByParent.get(parent) ?? []).map(({ key }) => sizeOf(key, new Set()))
    const rows = flow(boxes, width)
    boxes.forEach((box, index) => {
      box.x = origin.x + rows.offsets[index]!.x
      box.y = origin.y + rows.offsets[index]!.y
      changed.set(box.key, rectOf(box as PlacedBox))
      if (ancestors.has(box.key)) return
      const { width } = box
      fill(
        box.key,
        { x: box.x + PADDING, y: box.y + HEADER },
        width - 2 * PADDING,
        new Set([...ancestors, box.key]),
      )
    })
    return rows
  }

  fill(null, originBelow([...existing, ...created.filter(isPlaced)]), ROW_WIDTH, new Set())
  for (const parent of unplacedByParent.keys()) {
    const group = parent === null ? null : rects.get(parent)!
    if (!group || !isPlaced(group) || changed.has(group.key)) continue
    const siblings = [...existing, ...created].filter(
      (box): box is PlacedBox => box.parent === group.key && isPlaced(box),
    )
    const y = Math.max(group.y + HEADER, ...siblings.map((box) => box.y + box.height + GAP))
    const rows = fill(group.key, { x: group.x + PADDING, y }, group.width - 2 * PADDING, new Set([group.key]))
    const width = Math.max(group.width, rows.width + 2 * PADDING)
    const height = Math.max(group.height, y + rows.height + PADDING - group.y)
    if (width > group.width || height > group.height)
      changed.set(group.key, { ...rectOf(group), width, height })
  }
  return changed
}

const rectOf = ({ x, y, width, height }: PlacedBox): Rect => ({ x, y, width, height })

function originBelow(boxes: readonly PlacedBox[]): { x: number; y: number } {
  if (boxes.length === 0) return { x: 0, y: 0 }
  const least = (a: number, b: number) => Math.min(a, b)
  const x = boxes.map((box) => box.x).reduce(least)
  const y = -boxes.map((box) => -(box.y + box.height)).reduce(least)
  return { x: Math.round(x), y: Math.round(y) + GAP }
}

function flow(boxes: readonly Pick<Box, 'width' | 'height'>[], widthMax: number) {
  const offsets: { x: number; y: number }[] = []
  let [x, y, rowHeight, width] = [0, 0, 0, 0]
  for (const box of boxes) {
    if (x > 0 && x + box.width > widthMax) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0]
    offsets.push({ x, y })
    width = Math.max(width, x + box.width)
    rowHeight = Math.max(rowHeight, box.height)
    x += box.width + GAP
  }
  return { offsets, width, height: y + rowHeight }
}
