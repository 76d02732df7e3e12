import { text } from './fields.ts'
import { FLAG_OR_REFUSED } from './hidden-characters.ts'

/**
 * A name shown in lists and sentences. Control and text-direction characters would change the surrounding text, and
 * invisible ones make different names look alike. Not for file names, which are returned as uploaded.
 */
export const displayName = (min: number, max: number) =>
  text(min, max, { normalize: true })
    .refine(
      // `text` reports NUL with its own message.
      (name) => !hasRefusedCharacter(name.replaceAll('\0', '')),
      'must not contain control characters, text direction controls or invisible characters',
    )
    .refine((name) => name === '' || isVisible(name), 'must contain a visible character')

/** For names from an identity provider or a backup. Empty if no character remains. */
export function toDisplayName(raw: string, max: number): string {
  const oneLine = raw.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}][\s\p{Cc}]*/gu, ' ')
  const clean = oneLine.replace(FLAG_OR_REFUSED, (_, flag?: string) => flag ?? '').normalize('NFC')
  const name = [...clean.trim()]
    .slice(0, max)
    .join('')
    .replace(FLAG_OR_REFUSED, (_, flag?: string) => flag ?? '')
  return isVisible(name) ? name.trim() : ''
}

const hasRefusedCharacter = (name: string) =>
  [...name.matchAll(FLAG_OR_REFUSED)].some(([, flag]) => flag === undefined)

const isVisible = (name: string) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(name)
