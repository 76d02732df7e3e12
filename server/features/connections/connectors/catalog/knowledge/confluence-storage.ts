import { dictionary } from '../../../../../../contract/dictionary.ts'

const ENTITIES: Readonly<Record<string, string>> = dictionary({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
})
const CHARACTERS: Readonly<Record<string, string>> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
})

const escapeText = (text: string) => text.replace(/[&<>"]/g, (each) => CHARACTERS[each]!)

/** Text in the format of Confluence: paragraphs and line breaks, and no other elements. */
export const toStorage = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br/>')}</p>`)
    .join('')

/**
 * The text of a page: headings, lists and table cells as lines. The parameters of macros are left out. No expression
 * reads past the next `<`, so that the time is linear in the size of the page.
 */
export const fromStorage = (storage: string): string =>
  withoutCdata(storage)
    .replace(/<ac:parameter\b[^<>]*>[^<]*<\/ac:parameter>/g, '')
    .replace(/<h([1-6])\b[^<>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^<>]*>/g, '\n- ')
    .replace(/<\/t[dh]>/g, ' | ')
    .replace(/<br ?\/?>|<\/tr>/g, '\n')
    .replace(/<\/(p|h[1-6]|table|ul|ol|pre)>/g, '\n\n')
    .replace(/<[^<>]*>/g, '')
    .replace(
      /&(#x?[0-9a-f]{1,8}|[a-z]{2,8});/gi,
      (whole, name: string) => ENTITIES[name] ?? decodeNumeric(name) ?? whole,
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Code blocks are always plain text. */
const withoutCdata = (storage: string): string =>
  storage
    .split('<![CDATA[')
    .map((part, index) => {
      const end = part.indexOf(']]>')
      return index === 0 || end < 0 ? part : escapeText(part.slice(0, end)) + part.slice(end + 3)
    })
    .join('')

function decodeNumeric(name: string): string | undefined {
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return name.startsWith('#') && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
