import { PreviewError } from './job.ts'

/** The container format by signature: the libraries would accept many more formats. */
export function containerOf(bytes: Uint8Array): 'zip' | 'compound' {
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
