import { DEFAULT_LANGUAGE, type Language } from '../../contract/languages.ts'
import { isolateName } from '../../contract/text-with-names.ts'
import german from '../languages/de.json' with { type: 'json' }

type Tag = (texts: TemplateStringsArray, ...values: (string | number)[]) => string

/**
 * What emails are written with, in one language. Destructure the tags: `npm run words` finds texts by the names `t` and
 * `textWithNames`.
 */
export interface Words {
  t: Tag
  /** Also isolates names, as the contract's tag of the same name. */
  textWithNames: Tag
  /** For a text from the contract (`MAILED_TABLES` in `dashboard/bundling/translate/server-texts.ts`). */
  translate: (english: string) => string
  /** In UTC. */
  day: (date: Date | string) => string
  /** In UTC, such as 17:05. */
  time: (date: Date | string) => string
  dollars: (amount: string) => string
}

const TRANSLATIONS: Record<Language, Record<string, string>> = { en: {}, de: german }

/** A text without a translation is in English, as is everything for an unknown language. */
export function speak(language: Language | null): Words {
  const locale = language && Object.hasOwn(TRANSLATIONS, language) ? language : DEFAULT_LANGUAGE
  const translate = (english: string) => TRANSLATIONS[locale][english] || english
  const tag =
    (show: (value: string) => string): Tag =>
    (texts, ...values) => {
      const shown = values.map((value) =>
        show(typeof value === 'number' ? value.toLocaleString(locale) : value),
      )
      const text = keyOf(texts)
      const key = text.trim()
      // In one pass, so that a value can't contain a mark.
      return text.replace(key, () => translate(key)).replace(/\{(\d+)\}/g, (_, slot) => shown[Number(slot)]!)
    }
  const format = (options: Intl.DateTimeFormatOptions) => (date: Date | string) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(new Date(date))
  return {
    t: tag((value) => value),
    textWithNames: tag(isolateName),
    translate,
    day: format({ dateStyle: 'long' }),
    time: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    dollars: (amount) => Number(amount).toLocaleString(locale, { style: 'currency', currency: 'USD' }),
  }
}

/** As in the dashboard's catalogs: `Copied {0} rows`. */
const keyOf = (texts: TemplateStringsArray) =>
  texts.reduce((key, text, index) => `${key}{${index - 1}}${text}`)

/** For what is stored, such as notification titles: the dashboard translates them. */
export const ENGLISH = speak(DEFAULT_LANGUAGE)
