import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  ColorSpace,
  FilterType,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickImageInfo,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { ImageError, type ImageJob, PIXELS_MAX, type RenderedImage } from './image-job.ts'
import { once } from './once.ts'

const FORMATS = {
  PNG: MagickFormat.Png,
  JPEG: MagickFormat.Jpeg,
  GIF: MagickFormat.Gif,
  WEBP: MagickFormat.WebP,
  AVIF: MagickFormat.Avif,
  HEIC: MagickFormat.Heic,
  TIFF: MagickFormat.Tiff,
  BMP: MagickFormat.Bmp,
} as const

const JPEG_QUALITY = 85
/** Drawings and screenshots. JPEG would blur their text, and their PNG is small. */
const FEW_COLORS_MAX = 256
const SAMPLE_SIDE = 128

const load = once(async () => {
  const path = fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))
  await initializeImageMagick(await readFile(path))
  ResourceLimits.area = BigInt(PIXELS_MAX)
  ResourceLimits.disk = 0n
})

/** Metadata stays behind: position, camera, author, embedded previews. */
export async function renderRaster(
  bytes: Uint8Array,
  { type, sideMax }: Extract<ImageJob, { format: 'raster' }>,
): Promise<RenderedImage> {
  await load()
  const format = FORMATS[type]
  const { width, height } = readInfo(bytes, format)
  if (width * height > PIXELS_MAX) throw new ImageError('too_large')
  const settings = new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 })
  // The decoder then skips detail that the smaller image doesn't have. It would enlarge a small one.
  if (type === 'JPEG' && Math.max(width, height) > sideMax)
    settings.setDefine(MagickFormat.Jpeg, 'size', `${sideMax}x${sideMax}`)
  return ImageMagick.read(bytes, settings, (image) => {
    image.autoOrient()
    return encode(image, sideMax)
  })
}

/** From BGRA or RGBA pixels. */
export async function encodePixels(
  data: Uint8Array,
  { width, height, layout }: { width: number; height: number; layout: 'bgra' | 'rgba' },
): Promise<RenderedImage> {
  await load()
  const format = layout === 'bgra' ? MagickFormat.Bgra : MagickFormat.Rgba
  const settings = new MagickReadSettings({ format, width, height, depth: 8 })
  return ImageMagick.read(data, settings, (image) => encode(image, Math.max(width, height)))
}

/** From the header: nothing is decoded yet. */
function readInfo(bytes: Uint8Array, format: MagickFormat) {
  try {
    return MagickImageInfo.create(bytes, new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }))
  } catch {
    throw new ImageError('broken')
  }
}

function encode(image: IMagickImage, sideMax: number): RenderedImage {
  if (image.width > sideMax || image.height > sideMax) image.resize(sideMax, sideMax)
  if (image.colorSpace !== ColorSpace.sRGB && image.colorSpace !== ColorSpace.Gray)
    image.colorSpace = ColorSpace.sRGB
  image.strip()
  const isTransparent = image.hasAlpha && !image.isOpaque
  if (!isTransparent) image.hasAlpha = false
  const isPng = isTransparent || hasFewColors(image)
  const { width, height } = image
  if (!isPng) image.quality = JPEG_QUALITY
  // The library frees its memory afterwards.
  const bytes = image.write(isPng ? MagickFormat.Png : MagickFormat.Jpeg, (data) => new Uint8Array(data))
  return { mimeType: isPng ? 'image/png' : 'image/jpeg', width, height, bytes }
}

/** In a grid of pixels: counting them all takes longer than scaling. */
const hasFewColors = (image: IMagickImage): boolean =>
  image.clone((copy) => {
    copy.filterType = FilterType.Point
    copy.resize(Math.min(copy.width, SAMPLE_SIDE), Math.min(copy.height, SAMPLE_SIDE))
    return copy.totalColors <= FEW_COLORS_MAX
  })
