const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp)$/
const IMAGE_UNITS_MAX = 524_288
const IMAGES_UNITS_MAX = 2_097_152

/** Images bypass the sanitizer as `picture:<index>`, so it never has to allow `data:`. */
export function collectPictures() {
  const uris: string[] = []
  let unitsLeft = IMAGES_UNITS_MAX
  let isTruncated = false
  return {
    isTruncated: () => isTruncated,
    /** The image's URL in the HTML that will be sanitized; empty if it isn't shown. */
    async add(contentType: string, readBase64: () => Promise<string>): Promise<string> {
      const type = contentType.toLowerCase()
      const base64 = IMAGE_TYPES.test(type) ? await readBase64() : ''
      const isShown = base64 !== '' && base64.length <= Math.min(IMAGE_UNITS_MAX, unitsLeft)
      if (!isShown) {
        isTruncated = true
        return ''
      }
      unitsLeft -= base64.length
      return `picture:${uris.push(`data:${type};base64,${base64}`) - 1}`
    },
    insertInto: (html: string) =>
      html.replace(
        /(<img\b[^>]*?\ssrc=")picture:(\d+)"/g,
        (_, before, index) => `${before}${uris[index] ?? ''}"`,
      ),
  }
}
