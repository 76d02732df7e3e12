const MARKS = /\{\d+\}|<\/?\d+>/g
/** A capitalized first word. It has a lowercase letter, so that names such as HTTP, PDF and F2 do not match. */
const CAPITALIZED = /^[^\p{L}]*\p{Lu}\p{L}*\p{Ll}|^I\b/u
const CODE =
  /^<\/?[a-z!]|^\(?[a-z-]+[(:] ?[\d(>=)a-z]|monospace|path=|\dpx\b|^a\s+[\d ]+$|\.\s*\.|^M ?[\d ]+[HVLvhl\d ]|^M {2,}| {2,}[HVLZ]\b|^npx |^curl |^use[A-Z]\w+ needs |^Shift\+|^[\w.-]+[/:][\w./:?=&-]+$|^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+([A-Z][a-z]+)+$|[{}]|;\S|;$|=>|^--?\w/
/** A word that looks like a CSS class: it has a hyphen, a colon, a slash, a bracket, or a digit after a letter. */
const CLASS = /[-:[\]/]|[a-z]\d/
/** CSS classes that look like ordinary words. */
const CLASSES = new Set(
  'flex grid block inline hidden relative absolute fixed sticky contents isolate truncate italic underline uppercase capitalize border rounded shadow outline ring grow shrink container group peer transition animate invisible visible antialiased resize'.split(
    ' ',
  ),
)

export const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replace(MARKS, ''))

/** Whether a string of the source is text for people, rather than a name, a class list or code. */
export function isProse(text: string): boolean {
  const plain = text.replace(MARKS, ' ').trim()
  if (!hasLetters(plain) || CODE.test(plain)) return false
  if (CAPITALIZED.test(plain)) return true
  if (/(^|\} )\p{Ll}{2,}( \{|$)/u.test(text.trim()) && /\{\d/.test(text)) return true
  const words = plain.split(/\s+/)
  if (words.length < 2 && !/…$/.test(plain)) return false
  if (words.every((word) => CLASS.test(word) || CLASSES.has(word))) return false
  return words.filter((word) => CLASS.test(word)).length * 2 < words.length
}
