import { detect } from 'chardet'

/** Never throws. */
export function decode(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes, { stream: true })
  try {
    // Streams, so a truncated last character isn't an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decoderFor(detect(bytes.subarray(0, SAMPLE_BYTES_MAX))).decode(bytes, { stream: true })
  }
}

const SAMPLE_BYTES_MAX = 65_536

function utf16Of(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** Windows-1252 maps every byte to a character. */
function decoderFor(encoding: string | null): TextDecoder {
  try {
    return new TextDecoder(encoding === null || encoding === 'ASCII' ? 'windows-1252' : encoding)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
