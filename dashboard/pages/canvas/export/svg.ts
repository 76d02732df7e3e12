import { t } from '../../../../contract/text.ts'
import { type Box, boundingBox } from '../model/arrange.ts'
import { blockName, isDone } from '../model/block-labels.ts'
import { readCrop } from '../model/crop.ts'
import { edgePath } from '../model/edge-path.ts'
import { arrowheadPath, drawingPath, readPoints, readShape, shapePath } from '../model/figures.ts'
import { colorTone } from '../model/tones.ts'
import type { Block, Edge } from '../store/items.ts'
import type { Palette } from './palette.ts'
import { type Line, type Measure, markdownLines, wrap } from './text-lines.ts'

export interface Picture {
  blocks: readonly Block[]
  edges: readonly Edge[]
  palette: Palette
  measure: Measure
  /** Data URL and size, by block id. */
  images?: ReadonlyMap<string, { url: string; width: number; height: number }>
  /** Outlines by block id, for blocks that differ from another state. */
  marks?: ReadonlyMap<string, string>
}

const MARGIN = 32
const PADDING = 12
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
const MONO = 'ui-monospace, Menlo, Consolas, monospace'
const EMPTY: Box = { x: 0, y: 0, width: 320, height: 180 }

/** The SVG has no scripts, styles or references. */
export function composeSvg(picture: Picture): { svg: string; width: number; height: number } {
  const { blocks, edges, palette } = picture
  const bounds = blocks.length > 0 ? boundingBox(blocks.map(boundsOfRotated)) : EMPTY
  const box = {
    x: Math.floor(bounds.x - MARGIN),
    y: Math.floor(bounds.y - MARGIN),
    width: Math.ceil(bounds.width + 2 * MARGIN),
    height: Math.ceil(bounds.height + 2 * MARGIN),
  }
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const ordered = blocks.toSorted((one, other) => one.zIndex - other.zIndex)
  const body = [
    rect(box, { fill: palette.ground }),
    ...ordered.filter(({ type }) => type === 'group').map((block) => blockSvg(block, picture)),
    ...edges.map((edge) => edgeSvg(edge, byId, picture)),
    ...ordered.filter(({ type }) => type !== 'group').map((block) => blockSvg(block, picture)),
  ]
  const { x, y, width, height } = box
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" font-family="${SANS}">${body.join('')}</svg>`,
    width,
    height,
  }
}

function blockSvg(block: Block, picture: Picture): string {
  const { x, y, width, height, rotation } = block
  const turn = rotation ? ` rotate(${rotation} ${width / 2} ${height / 2})` : ''
  const mark = picture.marks?.get(block.id)
  const outline = mark
    ? rect(
        { x: -4, y: -4, width: width + 8, height: height + 8 },
        { fill: 'none', stroke: mark, 'stroke-width': 3, rx: 12 },
      )
    : ''
  return `<g transform="translate(${x} ${y})${turn}">${surfaceSvg(block, picture)}${contentSvg(block, picture)}${outline}</g>`
}

function surfaceSvg(block: Block, { palette }: Picture): string {
  const { type, width, height, color } = block
  const tone = colorTone(color)
  const customColor = color?.startsWith('#') ? color : undefined
  const colors = tone && palette.tones[tone]
  if (type === 'drawing') {
    const points = readPoints(block)
    const stroke = colors?.text ?? customColor ?? palette.text
    return (
      path(drawingPath(points), { fill: 'none', stroke, 'stroke-width': 2, 'stroke-linecap': 'round' }) +
      path(arrowheadPath(points, block.metadata.arrows), { fill: stroke })
    )
  }
  if (type === 'shape') {
    const stroke = colors?.text ?? customColor ?? palette.outline
    const fill = colors?.wash ?? palette.surface
    return path(shapePath(readShape(block), width, height), { fill, stroke, 'stroke-width': 1.5 })
  }
  const isGroup = type === 'group'
  return rect(
    { x: 0, y: 0, width, height },
    {
      fill: isGroup ? 'none' : (colors?.wash ?? palette.surface),
      stroke: (isGroup ? colors?.text : colors?.wash) ?? customColor ?? palette.edge,
      'stroke-width': isGroup ? 1.5 : 1,
      rx: isGroup ? 12 : 10,
    },
  )
}

function contentSvg(block: Block, picture: Picture): string {
  const { type, title, content, width, height } = block
  const { palette, measure } = picture
  const textWidth = width - 2 * PADDING
  const boldLines = (text: string, size = 14): Line[] =>
    wrap(text, textWidth, { size, isBold: true }, measure).map((each) => ({
      text: each,
      x: 0,
      size,
      isBold: true,
      height: 20,
    }))
  const smallLines = (text: string): Line[] =>
    wrap(text, textWidth, { size: 12 }, measure).map((each) => ({ text: each, x: 0, size: 12, height: 16 }))
  switch (type) {
    case 'text':
    case 'note':
    case 'agent':
    case 'table':
      return textSvg(
        [...(title ? boldLines(title) : []), ...markdownLines(content ?? '', textWidth, measure)],
        block,
        palette,
      )
    case 'shape': {
      const lines = wrap(content ?? '', textWidth, { size: 14 }, measure)
      const top = height / 2 - (lines.length * 20) / 2
      return lines
        .map((each, index) => centeredText(each, width / 2, top + index * 20 + 15, palette.text))
        .join('')
    }
    case 'drawing':
      return title ? centeredText(title, width / 2, height + 18, palette.muted, 12) : ''
    case 'image':
      return imageSvg(block, picture)
    case 'task':
      return (
        taskBox(PADDING, PADDING + 2, isDone(block), palette) +
        textSvg(
          boldLines(title ?? t`Task`).map((line) => ({ ...line, x: 28 })),
          block,
          palette,
        )
      )
    case 'link':
    case 'embed':
      return textSvg([...boldLines(blockName(block)), ...smallLines(content ?? '')], block, palette)
    case 'group':
    case 'file':
      return textSvg(boldLines(blockName(block), type === 'group' ? 13 : 14), block, palette)
  }
}

function textSvg(lines: readonly Line[], { height }: Block, palette: Palette): string {
  let top = PADDING
  const shown: string[] = []
  for (const line of lines) {
    if (top + line.size > height - 4) break
    const baseline = top + line.size
    if (line.task !== undefined) shown.push(taskBox(PADDING + line.x - 20, top + 2, line.task, palette))
    if (line.text.trim() !== '') shown.push(textLine(line, baseline, palette))
    top += line.height
  }
  return shown.join('')
}

const textLine = ({ text, x, size, isBold, isMono }: Line, baseline: number, palette: Palette) =>
  `<text${attributes({
    x: PADDING + x,
    y: baseline,
    'font-size': size,
    fill: palette.text,
    ...(isBold && { 'font-weight': 600 }),
    ...(isMono && { 'font-family': MONO }),
    'xml:space': 'preserve',
  })}>${escapeXml(text)}</text>`

const centeredText = (text: string, x: number, y: number, fill: string, size = 14) =>
  `<text${attributes({ x, y, 'font-size': size, fill, 'text-anchor': 'middle' })}>${escapeXml(text)}</text>`

function taskBox(x: number, y: number, done: boolean, { good, line }: Palette): string {
  const box = { x, y, width: 14, height: 14 }
  const mark = path(`M${x + 3} ${y + 7}l3 3l5 -6`, {
    fill: 'none',
    stroke: good,
    'stroke-width': 2,
  })
  return rect(box, { fill: 'none', stroke: done ? good : line, rx: 3 }) + (done ? mark : '')
}

/** The inner document clips the image to the crop; the outer one fits it into the block. */
function imageSvg(block: Block, { images, palette, measure }: Picture): string {
  const image = images?.get(block.id)
  const name = blockName(block)
  const captionHeight = block.title ? 32 : 0
  const caption = block.title
    ? `<text${attributes({ x: PADDING, y: block.height - 11, 'font-size': 12, fill: palette.muted })}>${escapeXml(wrap(name, block.width - 2 * PADDING, { size: 12 }, measure)[0] ?? '')}</text>`
    : ''
  if (!image) return caption || centeredText(name, block.width / 2, block.height / 2, palette.muted, 12)
  const crop = readCrop(block)
  const view = [
    crop.x * image.width,
    crop.y * image.height,
    crop.width * image.width,
    crop.height * image.height,
  ]
  const [, , width, height] = view
  const frame = attributes({
    x: 1,
    y: 1,
    width: Math.max(1, block.width - 2),
    height: Math.max(1, block.height - captionHeight - 2),
    viewBox: `0 0 ${width} ${height}`,
  })
  const part = attributes({ width: width!, height: height!, viewBox: view.join(' ') })
  const size = attributes({ href: image.url, width: image.width, height: image.height })
  return `<svg${frame}><svg${part}><image${size}/></svg></svg>${caption}`
}

function edgeSvg(edge: Edge, blocks: ReadonlyMap<string, Block>, { palette, measure }: Picture): string {
  const [from, to] = [blocks.get(edge.fromBlockId), blocks.get(edge.toBlockId)]
  if (!from || !to) return ''
  const tone = colorTone(edge.style.color ?? null)
  const customColor = edge.style.color?.startsWith('#') ? edge.style.color : undefined
  const stroke = tone ? palette.tones[tone].text : (customColor ?? palette.line)
  const { path: line, x, y, heads } = edgePath(from, to, edge.style)
  return (
    path(line, { fill: 'none', stroke, 'stroke-width': 1.5 }) +
    (heads ? path(heads, { fill: stroke }) : '') +
    (edge.label ? labelSvg(edge.label, x, y, measure(edge.label, { size: 12 }), palette) : '')
  )
}

const labelSvg = (label: string, x: number, y: number, width: number, palette: Palette) =>
  rect(
    { x: x - width / 2 - 8, y: y - 10, width: width + 16, height: 20 },
    { fill: palette.surface, stroke: palette.edge, rx: 6 },
  ) + centeredText(label, x, y + 4, palette.muted, 12)

type Attributes = Record<string, string | number>

const rect = ({ x, y, width, height }: Box, style: Attributes) =>
  `<rect${attributes({ x, y, width, height, ...style })}/>`
const path = (d: string, style: Attributes) => (d ? `<path${attributes({ d, ...style })}/>` : '')

const attributes = (values: Attributes) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Drops characters XML can't contain. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}--[\t\n\r]]|[\ufffe\uffff]/gv, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)

function boundsOfRotated({ x, y, width, height, rotation, type, title }: Block): Box {
  const captionHeight = type === 'drawing' && title ? 24 : 0
  if (!rotation) return { x, y, width, height: height + captionHeight }
  const angle = (rotation * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const [wide, high] = [width * cos + height * sin, width * sin + height * cos]
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high }
}
