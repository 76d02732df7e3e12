import type { Message, Slot } from './message.ts'
import type { Node } from './syntax.ts'

/** Text with these characters is code, or would be read as a mark. */
const MARKS = /[{}]|<\/?\d/

export function stringOf(
  { value, start, end }: Node,
  isPart: boolean,
  kind: Message['kind'] = 'string',
): Message[] {
  if (typeof value !== 'string' || MARKS.test(value)) return []
  if (!(isPart ? hasLetters(value) : isProse(value))) return []
  return [{ ...splitOuterSpaces(value), kind, start, end, slots: [] }]
}

export function templateOf({ quasis, expressions, start, end }: Node, isPart: boolean): Message[] {
  const texts = (quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked)
  const slots = (expressions as Node[]).map(
    (each): Slot => ({ kind: 'value', start: each.start, end: each.end }),
  )
  const text = texts.map((each, at) => each + (at < slots.length ? `{${at}}` : '')).join('')
  if (texts.some((each) => MARKS.test(each))) return []
  if (!(isPart ? hasLetters(text) : isProse(text))) return []
  return [{ ...splitOuterSpaces(text), kind: 'template', start, end, slots }]
}

/** `counted(3, 'file', 'files')`: the nouns are translated together. */
export function nounsOf(call: Node): Message[] {
  const [, noun, plural] = call.arguments as Node[]
  const singularText = noun?.value
  if (!noun || typeof singularText !== 'string') return []
  const pluralText = plural ? plural.value : `${singularText}s`
  if (typeof pluralText !== 'string') return []
  const key = `${singularText}|${pluralText}`
  const { start } = noun
  return [{ key, kind: 'nouns', start, end: (plural ?? noun).end, slots: [], before: '', after: '' }]
}

/** Separates the text from the spaces around it, which a translation keeps. */
export function splitOuterSpaces(text: string): Pick<Message, 'key' | 'before' | 'after'> {
  const key = text.trim()
  const at = text.indexOf(key)
  return { key, before: text.slice(0, at), after: text.slice(at + key.length) }
}

const SLOTS = /\{\d+\}|<\/?\d+>/g
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

const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replace(SLOTS, ''))

/** Whether a string of the source is text for people, rather than a name, a class list or code. */
function isProse(text: string): boolean {
  const plain = text.replace(SLOTS, ' ').trim()
  if (!hasLetters(plain) || CODE.test(plain)) return false
  if (CAPITALIZED.test(plain)) return true
  if (/(^|\} )\p{Ll}{2,}( \{|$)/u.test(text.trim()) && /\{\d/.test(text)) return true
  const words = plain.split(/\s+/)
  if (words.length < 2 && !/…$/.test(plain)) return false
  if (words.every((word) => CLASS.test(word) || CLASSES.has(word))) return false
  return words.filter((word) => CLASS.test(word)).length * 2 < words.length
}
