import { t } from '../../../../contract/text.ts'
import { toast } from '../../../components/toast.tsx'
import { fileUrl } from '../blocks/block-image.ts'
import { collectMembers } from '../model/groups.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Block, Edge } from '../store/items.ts'
import { composeJsonCanvas } from './json-canvas.ts'
import { readPalette } from './palette.ts'
import { composeSvg, type Picture } from './svg.ts'
import type { Measure, TextStyle } from './text-lines.ts'

export type ExportFormat = 'png' | 'svg' | 'json-canvas'

/** Phones refuse larger pictures. */
const PIXELS_MAX = 16_000_000
const SCALE_MAX = 2
const IMAGES_AT_ONCE = 4
const IMAGE_BYTES_MAX = 20_000_000
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp|avif)$/

/** Saves the whole canvas if nothing is selected. */
export async function saveCanvas(canvas: OpenCanvas, format: ExportFormat) {
  const { blocks, edges } = exportedItems(canvas)
  if (blocks.length === 0) return toast(t`Nothing to export: the canvas is empty`)
  if (format === 'json-canvas') {
    const text = composeJsonCanvas(blocks, edges)
    return save(canvas, 'canvas', new Blob([text], { type: 'application/json' }))
  }
  const images = await loadImages(canvas, blocks)
  const palette = readPalette(canvas.view.element() ?? document.body)
  const picture = composeSvg({ blocks, edges, palette, measure: measureText, images })
  const svg = new Blob([picture.svg], { type: 'image/svg+xml' })
  save(canvas, format, format === 'svg' ? svg : await toPng(svg, picture))
}

function exportedItems({ store, viewModel }: OpenCanvas): { blocks: Block[]; edges: Edge[] } {
  const { items } = store
  const { blocks: selected } = viewModel.selection.get()
  const ids =
    selected.size > 0 ? new Set([...selected, ...collectMembers(selected, items.blocks)]) : items.blocks
  return {
    blocks: [...items.blocks.values()].filter(({ id }) => ids.has(id)),
    edges: [...items.edges.values()].filter((edge) => ids.has(edge.fromBlockId) && ids.has(edge.toBlockId)),
  }
}

let context: CanvasRenderingContext2D | undefined

/** In the dashboard's fonts. */
export const measureText: Measure = (text, style) => {
  context ??= document.createElement('canvas').getContext('2d')!
  context.font = fontOf(style)
  return context.measureText(text).width
}

const fontOf = ({ size, isBold, isMono }: TextStyle) =>
  `${isBold ? 600 : 400} ${size}px ${isMono ? 'ui-monospace, Menlo, monospace' : 'system-ui, sans-serif'}`

/** Embedded in the file, because a reference would need the user's session. */
async function loadImages(canvas: OpenCanvas, blocks: readonly Block[]): Promise<Picture['images']> {
  const images = new Map<string, { url: string; width: number; height: number }>()
  const queue = blocks.filter(({ type, fileId }) => type === 'image' && fileId)
  const load = async () => {
    for (let block = queue.pop(); block; block = queue.pop()) {
      const image = await loadImage(canvas, block).catch(() => undefined)
      if (image) images.set(block.id, image)
    }
  }
  await Promise.all(Array.from({ length: IMAGES_AT_ONCE }, load))
  return images
}

async function loadImage({ headers }: OpenCanvas, block: Block) {
  const response = await fetch(fileUrl(block), { headers: headers() })
  const blob = await response.blob()
  if (!response.ok || blob.size > IMAGE_BYTES_MAX || !IMAGE_TYPE.test(blob.type)) return undefined
  const { width, height } = await createImageBitmap(blob)
  return { url: await dataUrlOf(blob), width, height }
}

const dataUrlOf = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(new Error(t`The image can’t be read`))
    reader.readAsDataURL(blob)
  })

async function toPng(svg: Blob, { width, height }: { width: number; height: number }): Promise<Blob> {
  const url = URL.createObjectURL(svg)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = Math.min(SCALE_MAX, Math.sqrt(PIXELS_MAX / (width * height)))
    const element = document.createElement('canvas')
    element.width = Math.max(1, Math.floor(width * scale))
    element.height = Math.max(1, Math.floor(height * scale))
    element.getContext('2d')!.drawImage(image, 0, 0, element.width, element.height)
    const png = await new Promise<Blob | null>((resolve) => element.toBlob(resolve, 'image/png'))
    if (!png) throw new Error(t`The image is too large for this browser. Export a selection or use SVG.`)
    return png
  } finally {
    URL.revokeObjectURL(url)
  }
}

function save({ project, viewModel }: OpenCanvas, extension: string, blob: Blob) {
  const suffix = viewModel.selection.get().blocks.size > 0 ? ` (${t`selection`})` : ''
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${project.name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')}${suffix}.${extension}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
