/** The languages of the dashboard and of emails, each named in itself. Plain data, so the browser can load it. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]]

/** The source's language, and what users get whose language is unknown. */
export const DEFAULT_LANGUAGE: Language = 'en'

/** The dashboard writes this cookie, and the server sends its page and stores the user's language by it. */
export const LANGUAGE_COOKIE = 'atrium_language'
