import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

interface PngOptions {
  width: number
  height: number
  /** By position. Default: red. */
  colorAt?: (x: number, y: number) => Color
}

export function createPng({ width, height, colorAt = () => [255, 0, 0] }: PngOptions): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colorAt(x, y), y * (1 + width * 3) + 1 + x * 3)
  return pngOf({ width, height, depth: 8, colorType: 2 }, rows)
}

/** One bit per pixel: 100 megapixels take a few kilobytes. */
export const createLargePng = (width: number, height: number): Buffer =>
  pngOf({ width, height, depth: 1, colorType: 0 }, Buffer.alloc(height * (1 + Math.ceil(width / 8))))

interface Header {
  width: number
  height: number
  depth: number
  colorType: number
}

function pngOf({ width, height, depth, colorType }: Header, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colorType, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** One page each: its text, or a red square without text, as in a scan. */
export function createPdf(pages: readonly (string | null)[]): Buffer {
  const ids = pages.map((_, index) => 4 + index * 2)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, index) => {
      const drawing =
        text === null ? '1 0 0 rg 100 100 200 200 re f' : `BT /F1 24 Tf 50 700 Td (${text}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${ids[index]! + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${body}endobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer<</Size ${size}/Root 1 0 R>>`
  return Buffer.from(`${text}${table}\nstartxref\n${text.length}\n%%EOF`, 'latin1')
}

/** 8 × 4 pixels: red, then blue. */
export const GIF = Buffer.from(
  'R0lGODlhCAAEAPAAAP8AAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQAAAAAACwAAAAACAAEAAACBYSPqYsFACH5BAAAAAAALAAAAAAIAAQAgAAA/wAAAAIFhI+piwUAOw==',
  'base64',
)

/** 8 × 4 red pixels, which EXIF turns by 90°. */
export const ROTATED_JPEG = Buffer.from(
  '/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAEAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCfADKS/9k=',
  'base64',
)
