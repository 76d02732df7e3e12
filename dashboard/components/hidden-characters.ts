import { FLAG_OR_REFUSED } from '../../contract/hidden-characters.ts'

/**
 * For text from a call's input that a person judges: shows direction controls and invisible characters as `[U+202E]`,
 * so a recipient, amount or file name can't look like another.
 */
export const showHidden = (text: string): string => replaceHidden(text, (code) => `[U+${code.toUpperCase()}]`)

/** The same value. Outside strings, JSON has none of these characters. */
export const escapeHidden = (json: string): string =>
  replaceHidden(json, (_, units) => units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''))

function replaceHidden(text: string, name: (code: string, units: number[]) => string): string {
  const shown = (character: string) =>
    name(
      character.codePointAt(0)!.toString(16).padStart(4, '0'),
      Array.from({ length: character.length }, (_, index) => character.charCodeAt(index)),
    )
  return text
    .replace(FLAG_OR_REFUSED, (found, flag?: string) => flag ?? (/[\t\n]/.test(found) ? found : shown(found)))
    .replace(USELESS, shown)
}

/** Emoji and several scripts need joiners and one variation selector, Latin text doesn't. */
const USELESS = /(?<=[ -~])[\u034f\u200c\u200d]|(?<=\p{Variation_Selector})\p{Variation_Selector}|\u2800/gu

/** Names a domain in ASCII as well, so look-alike letters are visible. */
export const showAddresses = (text: string): string =>
  showHidden(text).replace(/(?<=@)[^\s@,;<>()[\]"]+/g, (host) => {
    if (/^[ -~]*$/.test(host) || !URL.canParse(`https://${host}`)) return host
    return `${host} (${new URL(`https://${host}`).host})`
  })
