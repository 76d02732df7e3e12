export const LANGUAGES = { en: 'English', de: 'Deutsch' }
export type Language = keyof typeof LANGUAGES

/** The server reads this cookie when sending the page. It holds only the language. */
const COOKIE = 'atrium_language'
const YEAR_S = 31_536_000

/** Null if the browser decides. */
export function chosenLanguage(): Language | null {
  const value = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`).exec(document.cookie)?.[1]
  return value && Object.hasOwn(LANGUAGES, value) ? (value as Language) : null
}

/** Reloads the page, since each language is a separate build. */
export function chooseLanguage(language: Language | null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari.
  document.cookie = `${COOKIE}=${language ?? ''}; path=/; max-age=${language ? YEAR_S : 0}; samesite=lax`
  location.reload()
}
