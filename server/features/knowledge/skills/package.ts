import { crc32, inflateRawSync } from 'node:zlib'
import { SKILL_FILE, SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { problemOfPath } from '../../../../contract/knowledge/skill-path.ts'
import { badField } from '../../../errors.ts'
import type { SkillText } from './records.ts'
import { decodeText, parseSkillText } from './skill-text.ts'

export interface SkillPackage extends SkillText {
  files: ArchiveEntry[]
}

/** Expects `SKILL.md` at the root, or in one folder named after the skill. */
export function readPackage(zip: Buffer): SkillPackage {
  const entries = readArchive(zip).filter(({ path }) => !isClutter(path))
  const roots = entries.filter(({ path }) => /^([^/]+\/)?SKILL\.md$/.test(path))
  const root = roots.toSorted((a, b) => a.path.length - b.path.length)[0]
  if (!root) throw badArchive(`must contain ${SKILL_FILE}, at its root or in one folder`)
  const folder = root.path.slice(0, -SKILL_FILE.length)
  const source = decodeText(root.content) ?? refuse(`must have a ${SKILL_FILE} in UTF-8`)
  const text = parseSkillText(source, refuse)
  if (folder !== '' && folder !== `${text.name}/`)
    throw badArchive(`must have a folder named after the skill: ${JSON.stringify(text.name)}`)
  const files = entries.filter((entry) => entry !== root).map((entry) => relativeTo(folder, entry))
  requireDistinct(files)
  return { ...text, files }
}

function refuse(message: string): never {
  throw badArchive(message)
}

const isClutter = (path: string) => path.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(path)

function relativeTo(folder: string, { path, content }: ArchiveEntry): ArchiveEntry {
  if (!path.startsWith(folder))
    throw badArchive(`must have all files in one folder: ${JSON.stringify(path)} is outside it`)
  const inside = path.slice(folder.length)
  const problem = problemOfPath(inside)
  if (problem) throw badArchive(`has a path that ${problem}: ${JSON.stringify(path.slice(0, 100))}`)
  return { path: inside, content }
}

/** On some systems, names that differ only in case are one file. */
function requireDistinct(files: ArchiveEntry[]): void {
  if (files.length > SKILL_LIMITS.files) throw badArchive(`must have at most ${SKILL_LIMITS.files} files`)
  const seen = new Set<string>()
  for (const { path } of files) {
    const folded = path.toLowerCase()
    if (seen.has(folded)) throw badArchive(`must not contain a file twice: ${JSON.stringify(path)}`)
    seen.add(folded)
  }
}

/** More than a skill's files, since folders have entries too. */
const ENTRIES_MAX = 1000
/** Text compresses to a tenth. A hundredfold entry is meant to exhaust memory. */
const RATIO_MAX = 100
const SMALL_BYTES = 65_536

interface ArchiveEntry {
  path: string
  content: Buffer
}

interface Entry {
  path: string
  flags: number
  method: number
  crc: number
  packedSize: number
  size: number
  offset: number
  mode: number
}

const badArchive = (message: string) => badField('body.archive', message)

/**
 * Trusts no header: enforces sizes while inflating and verifies checksums. The central directory and local headers must
 * agree on each name, since readers disagree on which counts.
 */
function readArchive(zip: Buffer): ArchiveEntry[] {
  if (zip.length > SKILL_LIMITS.archiveBytes)
    throw badArchive(`must be at most ${SKILL_LIMITS.archiveBytes.toLocaleString('en-US')} bytes`)
  try {
    return filesOf(zip, entriesOf(zip))
  } catch (error) {
    if (error instanceof RangeError) throw badArchive('is not a complete zip file')
    throw error
  }
}

/** Reading beyond the end throws a RangeError. */
function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(END)
  if (end === -1) throw badArchive('is not a zip file')
  const count = zip.readUInt16LE(end + 10)
  if (end + 22 + zip.readUInt16LE(end + 20) > zip.length) throw badArchive('is not a complete zip file')
  if (count === 0xffff || zip.readUInt32LE(end + 16) === 0xffffffff)
    throw badArchive('must not be a zip64 file')
  if (zip.readUInt16LE(end + 4) !== 0) throw badArchive('must not be split into several parts')
  if (count > ENTRIES_MAX) throw badArchive(`must have at most ${ENTRIES_MAX} entries`)
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw badArchive('has a broken directory')
    const nameBytes = zip.readUInt16LE(at + 28)
    entries.push({
      path: nameIn(zip, at + 46, nameBytes),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedSize: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      // The attributes' upper half is a Unix mode if Unix made the archive.
      mode: zip.readUInt8(at + 5) === 3 ? zip.readUInt16LE(at + 40) : 0,
      offset: zip.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function nameIn(zip: Buffer, start: number, length: number): string {
  if (start + length > zip.length) throw new RangeError('The name is cut')
  try {
    return decoder.decode(zip.subarray(start, start + length))
  } catch {
    throw badArchive('has a name that is not UTF-8')
  }
}

function filesOf(zip: Buffer, entries: Entry[]): ArchiveEntry[] {
  let bytesLeft: number = SKILL_LIMITS.totalBytes
  const files: ArchiveEntry[] = []
  for (const entry of entries) {
    const type = entry.mode & 0o170000
    if (type !== 0 && type !== 0o100000 && type !== 0o040000)
      throw badArchive(`must contain files and folders only: ${quotedPath(entry)} is a link or a device`)
    if (entry.path.endsWith('/') || type === 0o040000) continue
    if (entry.flags & 1) throw badArchive(`must not be encrypted: ${quotedPath(entry)} is`)
    const content = contentOf(zip, entry, bytesLeft)
    bytesLeft -= content.length
    files.push({ path: entry.path, content })
  }
  return files
}

function contentOf(zip: Buffer, entry: Entry, bytesLeft: number): Buffer {
  const { offset, method, packedSize, path } = entry
  if (zip.readUInt32LE(offset) !== LOCAL) throw badArchive('has a broken entry')
  const nameBytes = zip.readUInt16LE(offset + 26)
  if (nameIn(zip, offset + 30, nameBytes) !== path)
    throw badArchive(`has two names for one entry: ${quotedPath(entry)}`)
  const start = offset + 30 + nameBytes + zip.readUInt16LE(offset + 28)
  if (start + packedSize > zip.length) throw new RangeError('The content is cut')
  const content = unpack(
    zip.subarray(start, start + packedSize),
    entry,
    Math.min(bytesLeft, SKILL_LIMITS.fileBytes),
    method,
  )
  if (content.length !== entry.size || crc32(content) !== entry.crc)
    throw badArchive(`has a wrong size or checksum for ${quotedPath(entry)}`)
  return content
}

function unpack(packed: Buffer, entry: Entry, bytesMax: number, method: number): Buffer {
  if (entry.size > SMALL_BYTES && entry.size > RATIO_MAX * packed.length)
    throw badArchive(`must not expand more than ${RATIO_MAX} times: ${quotedPath(entry)} does`)
  if (method === 0 && packed.length <= bytesMax) return Buffer.from(packed)
  if (method !== 0 && method !== 8) throw badArchive(`has an unknown compression for ${quotedPath(entry)}`)
  try {
    if (method === 8) return inflateRawSync(packed, { maxOutputLength: Math.max(bytesMax, 1) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw badArchive(`cannot be unpacked: ${quotedPath(entry)} is broken`)
  }
  const { fileBytes, totalBytes } = SKILL_LIMITS
  throw badArchive(
    `must have files up to ${fileBytes.toLocaleString('en-US')} bytes each, and ${totalBytes.toLocaleString('en-US')} in total`,
  )
}

const quotedPath = ({ path }: Entry) => JSON.stringify(path.slice(0, 100))

const END = Buffer.from('PK\x05\x06', 'latin1')
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
