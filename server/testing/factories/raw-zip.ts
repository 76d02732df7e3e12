import { crc32, deflateRawSync } from 'node:zlib'

export interface RawEntry {
  name: string | Buffer
  content: string | Buffer
  mode?: number
  /** Uncompressed, in the headers. Default: the actual size. */
  size?: number
  crc?: number
  localName?: string
  isEncrypted?: boolean
}

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
    // Shared by the local header and central record, starting at the version needed to extract.
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
