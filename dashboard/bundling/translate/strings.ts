import type { Message, Slot } from './message.ts'
import { hasLetters, isProse } from './prose.ts'
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
