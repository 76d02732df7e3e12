import {
  byDrawingOrder,
  jsonCanvasEdge,
  jsonCanvasNode,
  removeDrawings,
} from '../../../../contract/canvas/json-canvas.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import { JsonParts } from '../../../endpoint/json-text.ts'
import type { Contents } from './manifest.ts'

/** The canvas as JSON Canvas 1.0 (jsoncanvas.org). */
export async function composeJsonCanvas({ blocks, edges, files }: Omit<Contents, 'project'>) {
  const paths = new Map(files.map(({ id, path }) => [id, path]))
  const drawn = removeDrawings(blocks, edges)
  const body = new JsonParts()
  const addList = <T>(items: readonly T[], present: (item: T) => object) =>
    inSlices(items, (item, index) => body.add(`${index === 0 ? '' : ','}${JSON.stringify(present(item))}`))
  body.add('{"nodes":[')
  await addList(drawn.blocks.toSorted(byDrawingOrder), (block) =>
    jsonCanvasNode(block, paths.get(block.fileId ?? '')),
  )
  body.add('],"edges":[')
  await addList(drawn.edges, jsonCanvasEdge)
  body.add(']}')
  return body
}
