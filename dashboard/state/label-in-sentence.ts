/** A label inside a sentence: `project`; `API key` does not change. German nouns have a capital letter everywhere. */
export const labelInSentence = (label: string): string =>
  document.documentElement.lang === 'de'
    ? label
    : label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

/** The text with a capital letter first. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
