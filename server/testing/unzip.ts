import { crc32, inflateRawSync } from 'node:zlib'

/** Reads a zip file by its central directory and verifies every checksum. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'))
  if (end < 0) throw new Error('This zip file has no end')
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const found = new Map<string, Buffer>()
  for (let n = 0; n < count; n++) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('The list of this zip file is broken')
    const [nameSize, extraSize] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const name = archive.subarray(at + 46, at + 46 + nameSize).toString('utf8')
    if (found.has(name)) throw new Error(`${name} is in this zip file twice`)
    found.set(name, contentOf(archive, at))
    at += 46 + nameSize + extraSize
  }
  return found
}

function contentOf(archive: Buffer, record: number): Buffer {
  const method = archive.readUInt16LE(record + 10)
  const size = archive.readUInt32LE(record + 20)
  const local = archive.readUInt32LE(record + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + size)
  const content = method === 8 ? inflateRawSync(packed) : packed
  if (content.length !== archive.readUInt32LE(record + 24))
    throw new Error('A size in this zip file is wrong')
  if (crc32(content) !== archive.readUInt32LE(record + 16)) throw new Error('A sum in this zip file is wrong')
  return content
}
