import { LANGUAGE_COOKIE, LANGUAGES, type Language } from '../../contract/languages.ts'

const YEAR_S = 31_536_000

/** Null if the browser decides. */
export function chosenLanguage(): Language | null {
  const value = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1]
  return value && Object.hasOwn(LANGUAGES, value) ? (value as Language) : null
}

/** A reload would cancel it, so the page waits, but not for long. */
const SAVE_MS_MAX = 2000

/** Reloads the page, since each language is a separate build. `save` stores the choice for emails, and may fail. */
export async function chooseLanguage(language: Language | null, save: () => Promise<unknown>): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari.
  document.cookie = `${LANGUAGE_COOKIE}=${language ?? ''}; path=/; max-age=${language ? YEAR_S : 0}; samesite=lax`
  const tooLong = new Promise((resolve) => setTimeout(resolve, SAVE_MS_MAX))
  await Promise.race([save().catch(() => {}), tooLong])
  location.reload()
}
