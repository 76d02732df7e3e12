import { PreviewError } from './job.ts'

/** A file that only has a text's name. */
export const isContainer = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.subarray(0, 8))
  return start.subarray(0, 4).equals(ZIP) || start.equals(COMPOUND)
}

/** Checks the signature, because the libraries would accept many more formats. */
export function detectContainer(bytes: Uint8Array): 'zip' | 'compound' {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.subarray(0, 4).equals(ZIP)) return 'zip'
  if (!file.subarray(0, 8).equals(COMPOUND)) throw new PreviewError('broken')
  // An encrypted Word or Excel file is a compound file around the real one.
  if (file.includes(ENCRYPTED_PACKAGE)) throw new PreviewError('encrypted')
  return 'compound'
}

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')

/** Word nests a few dozen levels at most. The libraries parse recursively. */
const DEPTH_MAX = 256

/** Rejects deep nesting, DOCTYPE and entities. Office documents have none. */
export function checkXml(content: Buffer): void {
  const xml = content.toString('latin1')
  if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY')) throw new PreviewError('too_complex')
  let depth = 0
  /** Searched once per tag and never after the last, so the scan stays linear. */
  let end = -1
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml[at + 1]
    if (end < at) end = endOfTag(xml, at)
    if (next === '/') depth--
    else if (next !== '?' && next !== '!' && xml[end - 1] !== '/') depth++
    if (depth > DEPTH_MAX) throw new PreviewError('too_complex')
  }
}

function endOfTag(xml: string, at: number): number {
  const end = xml.indexOf('>', at)
  return end === -1 ? Infinity : end
}
