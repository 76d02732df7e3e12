/** Right-to-left scripts. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'

/** Keeps a right-to-left name from reordering the surrounding text. Other names get no invisible characters. */
export function isolateName(name: string): string {
  const plain = name.replace(DIRECTION_CONTROLS, '')
  return FROM_RIGHT.test(plain) ? `${ISOLATE}${plain}${END_OF_ISOLATE}` : plain
}

/** For labels, messages and emails: textWithNames`Remove ${name}`. */
export const textWithNames = (texts: TemplateStringsArray, ...names: (string | number)[]): string =>
  texts.reduce((text, next, index) => `${text}${isolateName(String(names[index - 1]))}${next}`)
