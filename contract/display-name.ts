import { text } from './fields.ts'

/**
 * A name that other people see in lists and sentences: of a user, an organization, a workspace, a project, a webhook, a key.
 * Control characters and controls of text direction would change the text around it, and invisible characters make two
 * different names look alike. File names are not display names: they are returned as they were uploaded.
 */
export const displayName = (min: number, max: number) =>
  text(min, max, { normalize: true })
    .refine(
      // `text` reports NUL with its own message.
      (name) => !hasRefusedCharacter(name.replaceAll('\0', '')),
      'must not contain control characters, controls of text direction or invisible characters',
    )
    .refine((name) => name === '' || isVisible(name), 'must contain a visible character')

/** The nearest display name to a text of another system, such as an identity provider or a backup; empty if no character remains. */
export function toDisplayName(raw: string, max: number): string {
  const oneLine = raw.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}][\s\p{Cc}]*/gu, ' ')
  const clean = oneLine.replace(FLAG_OR_REFUSED, (_, flag?: string) => flag ?? '').normalize('NFC')
  const name = [...clean.trim()]
    .slice(0, max)
    .join('')
    .replace(FLAG_OR_REFUSED, (_, flag?: string) => flag ?? '')
  return isVisible(name) ? name.trim() : ''
}

/**
 * A flag of a region (England, Scotland, Wales), which is written with invisible tag characters, or a refused character.
 * Joiners and variation selectors are invisible too, but emoji and several scripts (Persian, Hindi, Japanese) need them.
 */
const FLAG_OR_REFUSED =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f})|[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!\u034f|\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu

const hasRefusedCharacter = (name: string) =>
  [...name.matchAll(FLAG_OR_REFUSED)].some(([, flag]) => flag === undefined)

const isVisible = (name: string) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(name)
