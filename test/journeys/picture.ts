import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A picture that every browser shows: a harbour in the evening, roughly. */
export function makePicture(width = 320, height = 200): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isSun = (x - width * 0.7) ** 2 + (y - height * 0.35) ** 2 < (height / 9) ** 2
      const isSea = y > height * 0.6
      const color = isSun
        ? [255, 214, 140]
        : isSea
          ? [18, 94 - y / 6, 110]
          : [240 - y / 2, 150 + y / 4, 120 + y / 2]
      rows.set(color, y * (1 + width * 3) + 1 + x * 3)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const parts = [
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat(parts))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
