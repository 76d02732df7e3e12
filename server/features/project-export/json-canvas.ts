import { inSlices } from '../../concurrency/slices.ts'
import { JsonParts } from '../../endpoint/json-text.ts'
import type { BlockRow, EdgeRow } from '../canvas/canvas.ts'
import type { Contents } from './manifest.ts'

/** The canvas as JSON Canvas 1.0 (jsoncanvas.org), an open format that other whiteboards read. */
export async function composeJsonCanvas({ blocks, edges, files }: Omit<Contents, 'project'>) {
  const paths = new Map(files.map(({ id, path }) => [id, path]))
  const body = new JsonParts()
  const addList = <T>(items: readonly T[], present: (item: T) => object) =>
    inSlices(items, (item, index) => body.add(`${index === 0 ? '' : ','}${JSON.stringify(present(item))}`))
  body.add('{"nodes":[')
  await addList(blocks.toSorted(byZIndex), (block) => nodeOf(block, paths))
  body.add('],"edges":[')
  await addList(edges, edgeOf)
  body.add(']}')
  return body
}

const nodeOf = (block: BlockRow, paths: Map<string, string>) => ({
  id: block.id,
  ...contentOf(block, paths),
  x: Math.round(block.x),
  y: Math.round(block.y),
  width: Math.max(1, Math.round(block.width)),
  height: Math.max(1, Math.round(block.height)),
  ...colorOf(block),
})

/** JSON Canvas has four node types; other blocks become text, so that no content is lost. */
function contentOf(block: BlockRow, paths: Map<string, string>): Record<string, unknown> & { type: string } {
  const { type, title, content, fileId } = block
  if (type === 'group') return { type: 'group', ...(title ? { label: title } : {}) }
  const file = fileId && paths.get(fileId)
  if (file) return { type: 'file', file }
  if ((type === 'link' || type === 'embed') && content) return { type: 'link', url: content.trim() }
  return { type: 'text', text: [title && `## ${title}`, content].filter(Boolean).join('\n\n') }
}

const edgeOf = ({ id, fromBlockId, toBlockId, label }: EdgeRow) => ({
  id,
  fromNode: fromBlockId,
  toNode: toBlockId,
  ...(label ? { label } : {}),
})

/** The six preset colors of the format, and the nearest preset for other named colors. */
const PRESETS: Record<string, string | undefined> = {
  red: '1',
  pink: '1',
  orange: '2',
  amber: '2',
  yellow: '3',
  green: '4',
  lime: '4',
  cyan: '5',
  teal: '5',
  blue: '5',
  purple: '6',
  violet: '6',
}

function colorOf({ color }: BlockRow): { color?: string } {
  const mapped = color?.startsWith('#') ? color : PRESETS[color?.toLowerCase() ?? '']
  return mapped ? { color: mapped } : {}
}

/** Drawing order: the format draws the first node at the bottom. */
const byZIndex = (a: BlockRow, b: BlockRow) =>
  a.zIndex - b.zIndex || Number(b.type === 'group') - Number(a.type === 'group') || (a.id < b.id ? -1 : 1)
