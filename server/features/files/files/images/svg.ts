import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { ImageError, type ImageJob, type RenderedImage } from './image-job.ts'
import { once } from './once.ts'

const FONTS = join(import.meta.dirname, '../../../../../dashboard/fonts')
const FONT_FILES = ['inter-latin.woff2', 'inter-latin-ext.woff2']

/** The fonts. */
const load = once(async () => {
  const path = fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))
  await initWasm(await readFile(path))
  return Promise.all(FONT_FILES.map((name) => readFile(join(FONTS, name))))
})

/** The library runs no scripts, has no network and reads no files. An embedded image must be in the file itself. */
export async function renderSvg(
  bytes: Uint8Array,
  { sideMax }: Extract<ImageJob, { format: 'svg' }>,
): Promise<RenderedImage> {
  const fontBuffers = await load()
  const font = { fontBuffers, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter', loadSystemFonts: false }
  const text = new TextDecoder().decode(bytes)
  const { width, height } = sizeOf(new Resvg(text, { font }))
  const scale = Math.min(1, sideMax / Math.max(width, height))
  const drawing = new Resvg(text, { font, fitTo: { mode: 'zoom', value: scale }, background: 'white' })
  const image = drawing.render()
  return { mimeType: 'image/png', width: image.width, height: image.height, bytes: image.asPng() }
}

function sizeOf({ width, height }: { width: number; height: number }) {
  if (!(width > 0 && height > 0)) throw new ImageError('broken')
  return { width, height }
}
