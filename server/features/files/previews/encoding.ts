import { detect } from 'chardet'

/** Bytes as text: UTF-8, UTF-16 with its mark, and otherwise what the bytes look like. Never fails. */
export function decode(bytes: Uint8Array): string {
  const marked = markOf(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes, { stream: true })
  try {
    // As a stream, so that a character cut off at the end is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decoderFor(detect(bytes.subarray(0, SAMPLE_BYTES_MAX))).decode(bytes, { stream: true })
  }
}

const SAMPLE_BYTES_MAX = 65_536

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** Windows-1252 gives every byte a character, so it can stand in for whatever is not known here. */
function decoderFor(encoding: string | null): TextDecoder {
  try {
    return new TextDecoder(encoding === null || encoding === 'ASCII' ? 'windows-1252' : encoding)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
