import { crc32 } from 'node:zlib'
import type { ZipPart } from './zip-read.ts'

/** Writes an archive without compression, so that reading it takes no more memory than its size. */
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
    files.push(LOCAL_ENTRY, commonFields, nameBytes, content)
    directory.push(DIRECTORY_ENTRY, commonFields, location, nameBytes)
    offset += LOCAL_ENTRY.length + commonFields.length + nameBytes.length + content.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  END_OF_DIRECTORY.copy(end)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, end])
}

const LOCAL_ENTRY = Buffer.from('PK\x03\x04', 'latin1')
/** Includes the "version made by" field, which readers ignore. */
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02\x14\x00', 'latin1')
const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1')
const VERSION_NEEDED = 20
const NAMES_ARE_UTF8 = 0x0800
