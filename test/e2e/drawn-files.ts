import { crc32, deflateSync } from 'node:zlib'

/** A PDF with a page for each text, and a script that a viewer with scripts would run when the file opens. */
export function pdfOf(texts: string[], script?: string): Uint8Array<ArrayBuffer> {
  const pages = texts.map((_, index) => 4 + index * 2)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${script ? ` /OpenAction << /S /JavaScript /JS (${script}) >>` : ''} >>`,
    `<< /Type /Pages /Count ${texts.length} /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, index) => {
      const content = `0.1 0.45 0.42 rg 0 742 595 100 re f 0 g BT /F1 32 Tf 60 640 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((body, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

/** A PNG of one color, with a diagonal. */
export function pngOf(width: number, height: number, [red, green, blue]: number[]): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (__, x) =>
      Math.abs(x * height - y * width) < 4 * width ? [255, 255, 255] : [red!, green!, blue!],
    ).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from(rows.flat()))), chunk('IEND')]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]))
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
