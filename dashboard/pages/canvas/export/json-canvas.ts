import {
  byDrawingOrder,
  jsonCanvasEdge,
  jsonCanvasNode,
  removeDrawings,
} from '../../../../contract/canvas/json-canvas.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { randomId } from '../../../state/random-id.ts'
import { newBlock } from '../model/new-block.ts'
import type { Block, Edge, NewBlock } from '../store/items.ts'

const NODES_MAX = 10_000
const TEXT_MAX = 100_000
const COORDINATE_MAX = 1e9

/** JSON Canvas 1.0. A file node has only a file name: the format refers to files by their path in a folder. */
export function composeJsonCanvas(blocks: readonly Block[], edges: readonly Edge[]): string {
  const exported = removeDrawings(blocks, edges)
  const nodes = exported.blocks
    .toSorted(byDrawingOrder)
    .map((block) => jsonCanvasNode(block, (block.fileId && block.title) || undefined))
  return `${JSON.stringify({ nodes, edges: exported.edges.map(jsonCanvasEdge) }, null, 2)}\n`
}

/** Assigns new ids. Throws an error with a message for the user. */
export function parseJsonCanvas(text: string): { blocks: NewBlock[]; edges: Edge[] } {
  const { nodes = [], edges = [] } = readObject(text)
  if (!Array.isArray(nodes) || !Array.isArray(edges)) throw new Error(t`The file isn’t a JSON Canvas`)
  if (nodes.length > NODES_MAX)
    throw new Error(t`The file has more than ${NODES_MAX.toLocaleString(LOCALE)} nodes`)
  const ids = new Map<string, string>()
  const blocks = nodes.filter(isRecord).map((node, index) => {
    const block = { ...blockOf(node), zIndex: index }
    ids.set(String(node.id), block.id)
    return block
  })
  return {
    blocks: withParentGroups(blocks),
    edges: edges.filter(isRecord).flatMap((edge) => {
      const [from, to] = [ids.get(String(edge.fromNode)), ids.get(String(edge.toNode))]
      return from && to && from !== to ? [edgeOf(edge, from, to)] : []
    }),
  }
}

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

function readObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && !Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw new Error(t`The file isn’t a JSON Canvas`)
}

function blockOf(node: Json): NewBlock {
  const shared = {
    x: numberOf(node.x, 0),
    y: numberOf(node.y, 0),
    width: Math.max(1, numberOf(node.width, 240)),
    height: Math.max(1, numberOf(node.height, 120)),
    color: colorOf(node.color),
  }
  switch (node.type) {
    case 'group':
      return newBlock('group', { ...shared, title: textOf(node.label, 255) })
    case 'link':
      return newBlock('link', { ...shared, content: textOf(node.url, TEXT_MAX) })
    case 'file':
      return newBlock('file', { ...shared, title: textOf(node.file, 255) })
    default:
      return newBlock('text', { ...shared, content: textOf(node.text, TEXT_MAX) })
  }
}

function edgeOf(edge: Json, fromBlockId: string, toBlockId: string): Edge {
  const [start, end] = [edge.fromEnd === 'arrow', edge.toEnd !== 'none']
  const arrows = start ? (end ? 'both' : 'start') : end ? undefined : 'none'
  const color = colorOf(edge.color)
  return {
    id: randomId(),
    fromBlockId,
    toBlockId,
    label: textOf(edge.label, 255),
    condition: null,
    style: { ...(arrows && { arrows }), ...(color && { color }) },
  }
}

/** The format has no members: a node inside a group's box is one. */
function withParentGroups(blocks: NewBlock[]): NewBlock[] {
  const groups = blocks.filter(({ type }) => type === 'group')
  const area = ({ width, height }: NewBlock) => width * height
  return blocks.map((block) => {
    const [smallest] = groups
      .filter((group) => group !== block && contains(group, block))
      .sort((one, other) => area(one) - area(other))
    return smallest ? { ...block, parentId: smallest.id } : block
  })
}

/** Strictly larger, so two equal groups don't contain each other. */
const contains = (group: NewBlock, { x, y, width, height }: NewBlock) =>
  group.width * group.height > width * height &&
  x >= group.x &&
  y >= group.y &&
  x + width <= group.x + group.width &&
  y + height <= group.y + group.height

const numberOf = (value: unknown, fallback: number) =>
  typeof value === 'number' && Math.abs(value) <= COORDINATE_MAX ? value : fallback
const textOf = (value: unknown, max: number) =>
  typeof value === 'string' && value !== '' ? value.toWellFormed().replaceAll('\0', '').slice(0, max) : null

/** The format's presets: red, orange, yellow, green, cyan and purple. */
const PRESETS: Record<string, string> = { 1: 'red', 2: 'amber', 3: 'amber', 4: 'green', 5: 'teal', 6: 'blue' }

function colorOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return /^#[0-9a-f]{6}$/i.test(value) ? value : (PRESETS[value] ?? null)
}
