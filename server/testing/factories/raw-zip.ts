import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip file whose headers may be false. */
export interface RawEntry {
  name: string | Buffer
  content: string | Buffer
  /** The Unix mode. */
  mode?: number
  /** The uncompressed size in the headers; the actual size by default. */
  size?: number
  crc?: number
  /** The name in the local header; `name` by default. */
  localName?: string
  isEncrypted?: boolean
}

/** A zip file with exactly these entries, in this order, even if they are invalid. */
export function rawZip(entries: RawEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string)
    const localName = entry.localName === undefined ? name : Buffer.from(entry.localName)
    const content = Buffer.from(entry.content as string)
    const packed = deflateRawSync(content)
    const [crc, size] = [entry.crc ?? crc32(content), entry.size ?? content.length]
    // The fields that the local header and the central record share, from the version that extracts the entry on.
    const fields = Buffer.alloc(22)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(entry.isEncrypted ? 1 : 0, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc, 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size, 18)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    fields.copy(head, 4)
    head.writeUInt16LE(localName.length, 26)
    local.push(head, localName, packed)
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt8(3, 5)
    fields.copy(record, 6)
    record.writeUInt16LE(name.length, 28)
    record.writeUInt16LE(entry.mode ?? (name.at(-1) === 0x2f ? 0o040755 : 0o100644), 40)
    record.writeUInt32LE(offset, 42)
    central.push(record, name)
    offset += head.length + localName.length + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, list, end])
}
