/** Lowercases the first letter, except in labels such as `API key`. German nouns are capitalized everywhere. */
export const labelInSentence = (label: string): string =>
  document.documentElement.lang === 'de'
    ? label
    : label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
