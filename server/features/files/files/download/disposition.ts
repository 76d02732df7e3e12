/** Types that a browser displays without running scripts. */
const INLINE_TYPES = /^(image\/(png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(audio|video)\/.+)$/

/** The content-disposition header per RFC 6266 and RFC 8187: an ASCII name for old clients, and the UTF-8 name. */
export function dispositionOf(name: string, mimeType: string, requested: 'inline' | 'attachment'): string {
  const kind = requested === 'inline' && INLINE_TYPES.test(mimeType) ? 'inline' : 'attachment'
  return `${kind}; filename="${plainOf(name)}"; filename*=UTF-8''${encoded(name)}`
}

/** Also replaces quotes, backslashes and percent signs, which clients interpret differently. */
const plainOf = (name: string) => name.replaceAll(/[^\x20-\x7e]|["\\%/]/gu, '_')

/** Also encodes the characters `'()*`, which RFC 8187 reserves and encodeURIComponent does not. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
