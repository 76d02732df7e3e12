/** What a browser may show; anything else could run something, or is of no use there. */
const INLINE_TYPES = /^(image\/(png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(audio|video)\/.+)$/

/** How a file is to be offered, as RFC 6266 and RFC 8187 word it: a name in ASCII for old programs, and the real one. */
export function dispositionOf(name: string, mimeType: string, wish: 'inline' | 'attachment'): string {
  const kind = wish === 'inline' && INLINE_TYPES.test(mimeType) ? 'inline' : 'attachment'
  return `${kind}; filename="${plainOf(name)}"; filename*=UTF-8''${encoded(name)}`
}

/** Without quotes, backslashes and percent signs too, which programs read in different ways. */
const plainOf = (name: string) => name.replaceAll(/[^\x20-\x7e]|["\\%/]/gu, '_')

/** Encodes what RFC 8187 does not list as plain, which is a little more than addresses do. */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
