import { crc32, inflateRawSync } from 'node:zlib'

/** Uses the central directory and verifies every checksum. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'))
  if (end < 0) throw new Error('The zip file has no end record')
  const count = archive.readUInt16LE(end + 10)
  let offset = archive.readUInt32LE(end + 16)
  const contents = new Map<string, Buffer>()
  for (let n = 0; n < count; n++) {
    if (archive.readUInt32LE(offset) !== 0x02014b50)
      throw new Error('The central directory of the zip file is malformed')
    const [nameSize, extraSize] = [archive.readUInt16LE(offset + 28), archive.readUInt16LE(offset + 30)]
    const name = archive.subarray(offset + 46, offset + 46 + nameSize).toString('utf8')
    if (contents.has(name)) throw new Error(`The zip file contains ${name} twice`)
    contents.set(name, contentOf(archive, offset))
    offset += 46 + nameSize + extraSize
  }
  return contents
}

function contentOf(archive: Buffer, record: number): Buffer {
  const method = archive.readUInt16LE(record + 10)
  const size = archive.readUInt32LE(record + 20)
  const local = archive.readUInt32LE(record + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const compressed = archive.subarray(start, start + size)
  const content = method === 8 ? inflateRawSync(compressed) : compressed
  if (content.length !== archive.readUInt32LE(record + 24)) throw new Error('The zip file has a wrong size')
  if (crc32(content) !== archive.readUInt32LE(record + 16))
    throw new Error('The zip file has a wrong checksum')
  return content
}
