import { pipeline, type Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** Slash-separated. A folder's path ends with a slash. */
  path: string
  modifiedAt: Date
  /** Called when the entry is written. Null for a folder. */
  open: (() => Promise<Readable>) | null
  /** False if already compressed. */
  compress: boolean
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const END_64_LOCATOR = 0x07064b50
/** Bits 3 and 11: sizes follow the data, and names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 45
const MAX_16 = 0xffff
const MAX_32 = 0xffff_ffff
const FOLDER_MODE = 0o40755
const FILE_MODE = 0o100644

interface EntrySizes {
  crc: number
  size: number
  packed: number
}

/**
 * Keeps only the central directory in memory, about a hundred bytes per entry. Archives may exceed 4 GB (zip64),
 * entries may not.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const central: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const start = offset
    const header = localHeader(entry)
    yield header
    const sizes = { crc: 0, size: 0, packed: 0 }
    if (entry.open) yield* pack(await entry.open(), entry.compress, sizes)
    const trailer = descriptor(sizes)
    yield trailer
    offset += header.length + sizes.packed + trailer.length
    central.push(centralRecord(entry, sizes, start))
  }
  const listSize = central.reduce((sum, { length }) => sum + length, 0)
  yield* central
  yield endOf(central.length, listSize, offset)
}

async function* pack(content: Readable, compress: boolean, sizes: EntrySizes): AsyncGenerator<Buffer> {
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sizes.crc = crc32(chunk, sizes.crc)
      sizes.size += chunk.length
      yield chunk
    }
  }
  // A failure on either side destroys both streams and is thrown by the loop below.
  const output = compress ? pipeline(content, measure, createDeflateRaw(), () => {}) : measure(content)
  for await (const chunk of output as AsyncIterable<Buffer>) {
    sizes.packed += chunk.length
    yield chunk
  }
}

const nameOf = ({ path }: ZipEntry) => Buffer.from(path, 'utf8')
const methodOf = ({ open, compress }: ZipEntry) => (open && compress ? 8 : 0)

function localHeader(entry: ZipEntry): Buffer {
  const name = nameOf(entry)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(LOCAL, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(methodOf(entry), 8)
  header.writeUInt32LE(dosTime(entry.modifiedAt), 10)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, size, packed }: EntrySizes): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(DESCRIPTOR, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUInt32LE(packed, 8)
  bytes.writeUInt32LE(size, 12)
  return bytes
}

function centralRecord(entry: ZipEntry, { crc, size, packed }: EntrySizes, start: number): Buffer {
  const name = nameOf(entry)
  const extra = start >= MAX_32 ? zip64Offset(start) : Buffer.alloc(0)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(CENTRAL, 0)
  // Unix: the attributes' upper half is the file mode.
  record.writeUInt16LE((3 << 8) | VERSION, 4)
  record.writeUInt16LE(VERSION, 6)
  record.writeUInt16LE(FLAGS, 8)
  record.writeUInt16LE(methodOf(entry), 10)
  record.writeUInt32LE(dosTime(entry.modifiedAt), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(packed, 20)
  record.writeUInt32LE(size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE((entry.open ? FILE_MODE : FOLDER_MODE) * 0x10000, 38)
  record.writeUInt32LE(Math.min(start, MAX_32), 42)
  return Buffer.concat([record, name, extra])
}

function zip64Offset(start: number): Buffer {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(start), 4)
  return extra
}

function endOf(count: number, listSize: number, listStart: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(listSize, MAX_32), 12)
  end.writeUInt32LE(Math.min(listStart, MAX_32), 16)
  const needsZip64 = count >= MAX_16 || listSize >= MAX_32 || listStart >= MAX_32
  return needsZip64 ? Buffer.concat([zip64End(count, listSize, listStart), end]) : end
}

function zip64End(count: number, listSize: number, listStart: number): Buffer {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(END_64, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(listSize), 40)
  end.writeBigUInt64LE(BigInt(listStart), 48)
  end.writeUInt32LE(END_64_LOCATOR, 56)
  end.writeBigUInt64LE(BigInt(listStart + listSize), 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** MS-DOS: two-second resolution, years from 1980. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return day * 0x10000 + time
}

export function createEntryNames() {
  const taken = new Set<string>()
  /** Keeps a thousand equal names from each counting from two. */
  const counts = new Map<string, number>()
  return {
    take(name: string): string {
      const safe = safeName(name)
      let count = counts.get(keyOf(safe)) ?? 1
      let free = count === 1 ? safe : numbered(safe, count)
      while (taken.has(keyOf(free))) free = numbered(safe, ++count)
      taken.add(keyOf(free))
      counts.set(keyOf(safe), count)
      return free
    },
  }
}

/** Equal on case-insensitive file systems. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

/** Prevents path traversal on any system. Text-reversing characters would disguise the extension. */
function safeName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[/\\:\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '_')
  return /^\.{1,2}\s*$/.test(plain) ? plain.replaceAll('.', '_') : plain
}

function numbered(name: string, count: number): string {
  const ending = /(?<=.)\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? ''
  return `${name.slice(0, name.length - ending.length)} (${count})${ending}`
}
