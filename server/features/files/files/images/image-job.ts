/** What the image renderer is asked for. The longer side of a result has at most `sideMax` pixels. */
export type ImageJob =
  | { format: 'raster'; type: RasterType; sideMax: number }
  | { format: 'svg'; sideMax: number }
  /** `isDrawn`: also pages with text. */
  | { format: 'pdf'; sideMax: number; pages: PageRange; isDrawn?: boolean }

/** From 1, both included. Pages after the last one are ignored. */
export interface PageRange {
  from: number
  to: number
}

/** Only these formats are decoded: the library knows many more, which nobody sends as a picture. */
export const RASTER_TYPES = {
  'image/png': 'PNG',
  'image/apng': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WEBP',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'image/heif': 'HEIC',
  'image/tiff': 'TIFF',
  'image/bmp': 'BMP',
} as const

export type RasterType = (typeof RASTER_TYPES)[keyof typeof RASTER_TYPES]

/** Decoded, they would take 256 MB. */
export const PIXELS_MAX = 64_000_000

export interface RenderedImage {
  mimeType: 'image/png' | 'image/jpeg'
  width: number
  height: number
  bytes: Uint8Array
}

/** A page with text isn't rendered. */
export interface RenderedPage {
  page: number
  text: string | null
  image: RenderedImage | null
}

export type ImageFailure = 'broken' | 'encrypted' | 'too_complex' | 'too_large' | 'timed_out'

export type ImageOutcome =
  | { image: RenderedImage }
  | { pages: RenderedPage[]; pageCount: number }
  | { failed: ImageFailure }

export class ImageError extends Error {
  readonly reason: ImageFailure

  constructor(reason: ImageFailure) {
    super(reason)
    this.reason = reason
  }
}
