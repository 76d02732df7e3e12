import { crc32, inflateRawSync } from 'node:zlib'
import { PreviewError } from './job.ts'

/** For all parts together. A 12 MB spreadsheet inflates to about this size. */
const INFLATED_BYTES_MAX = 134_217_728
const ENTRIES_MAX = 25_000

export interface ZipPart {
  name: string
  content: Buffer
}

/** Doesn't trust header sizes. The libraries never get the archive itself, which they might interpret differently. */
export function readZip(bytes: Uint8Array, isIncluded: (name: string) => boolean): ZipPart[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return inflate(zip, entriesOf(zip), isIncluded)
  } catch (error) {
    if (error instanceof PreviewError) throw error
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PreviewError(isTooLarge ? 'too_complex' : 'broken')
  }
}

interface Entry {
  name: string
  isEncrypted: boolean
  method: number
  compressedBytes: number
  offset: number
}

/** Reading beyond the end throws, which means a broken file. */
function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(END_OF_DIRECTORY)
  if (end === -1) throw new PreviewError('broken')
  const count = zip.readUInt16LE(end + 10)
  if (count > ENTRIES_MAX) throw new PreviewError('too_complex')
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new PreviewError('broken')
    const nameBytes = zip.readUInt16LE(at + 28)
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      method: zip.readUInt16LE(at + 10),
      compressedBytes: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

function inflate(zip: Buffer, entries: Entry[], isIncluded: (name: string) => boolean): ZipPart[] {
  let bytesLeft = INFLATED_BYTES_MAX
  const parts = new Map<string, ZipPart>()
  for (const entry of entries) {
    if (!isIncluded(entry.name)) continue
    if (entry.isEncrypted) throw new PreviewError('encrypted')
    // Readers disagree about which part counts if two have the same name.
    if (parts.has(entry.name)) throw new PreviewError('broken')
    const content = contentOf(zip, entry, bytesLeft)
    bytesLeft -= content.length
    if (bytesLeft < 0) throw new PreviewError('too_complex')
    parts.set(entry.name, { name: entry.name, content })
  }
  return [...parts.values()]
}

function contentOf(zip: Buffer, { offset, method, compressedBytes }: Entry, bytesMax: number): Buffer {
  if (zip.readUInt32LE(offset) !== LOCAL_ENTRY) throw new PreviewError('broken')
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  if (start + compressedBytes > zip.length) throw new PreviewError('broken')
  const content = zip.subarray(start, start + compressedBytes)
  if (method === STORED) return content
  if (method !== DEFLATED) throw new PreviewError('broken')
  return inflateRawSync(content, { maxOutputLength: Math.max(bytesMax, 1) })
}

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1')
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const STORED = 0
const DEFLATED = 8

/** Doesn't compress, so reading takes no more memory than the archive's size. */
export function storeZip(parts: ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of parts) {
    const nameBytes = Buffer.from(name)
    const commonFields = Buffer.alloc(26)
    commonFields.writeUInt16LE(VERSION_NEEDED, 0)
    commonFields.writeUInt16LE(NAMES_ARE_UTF8, 2)
    commonFields.writeUInt32LE(crc32(content), 10)
    commonFields.writeUInt32LE(content.length, 14)
    commonFields.writeUInt32LE(content.length, 18)
    commonFields.writeUInt16LE(nameBytes.length, 22)
    const location = Buffer.alloc(14)
    location.writeUInt32LE(offset, 10)
    files.push(LOCAL_ENTRY_START, commonFields, nameBytes, content)
    directory.push(DIRECTORY_ENTRY_START, commonFields, location, nameBytes)
    offset += LOCAL_ENTRY_START.length + commonFields.length + nameBytes.length + content.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  END_OF_DIRECTORY_START.copy(end)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, end])
}

const LOCAL_ENTRY_START = Buffer.from('PK\x03\x04', 'latin1')
/** Includes the "version made by" field, which readers ignore. */
const DIRECTORY_ENTRY_START = Buffer.from('PK\x01\x02\x14\x00', 'latin1')
const END_OF_DIRECTORY_START = Buffer.from('PK\x05\x06', 'latin1')
const VERSION_NEEDED = 20
const NAMES_ARE_UTF8 = 0x0800
