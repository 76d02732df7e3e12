import { hasLetters, hasText, serializeChildren, trimToSentence } from './children.ts'
import { hasMarks, type Message, type Slot } from './message.ts'
import { childNodes, identifierName, type Node, parseModule } from './syntax.ts'

/** A literal value is text on every element and component. Any other string needs `t`. */
const TEXT_ATTRIBUTES = new Set([
  'action',
  'alt',
  'aria-label',
  'description',
  'hint',
  'label',
  'lead',
  'note',
  'noun',
  'placeholder',
  'title',
  'what',
])

/** `t` (`contract/text.ts`), and two tags that treat names inside the text. */
const TEXT_TAGS = new Set(['t', 'textWithNames', 'withNames'])

/** Decides by syntax alone. A message's expression can contain another message. */
export const findMessages = (file: string, code: string): Message[] => [
  ...messagesOf(parseModule(file, code)),
]

function* messagesOf(node: Node): Generator<Message> {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      yield* messagesOfElement(node)
      return
    case 'JSXAttribute':
      if (TEXT_ATTRIBUTES.has(identifierName(node.name as Node)))
        yield* attributeText(node.value as Node | null)
      break
    case 'TaggedTemplateExpression':
      if (TEXT_TAGS.has(identifierName(node.tag as Node))) yield* taggedText(node)
      break
    case 'CallExpression':
      if (identifierName(node.callee as Node) === 'counted') yield* nouns(node)
  }
  yield* messagesBelow(node)
}

function* messagesBelow(node: Node): Generator<Message> {
  for (const child of childNodes(node)) yield* messagesOf(child)
}

function* messagesOfElement(element: Node): Generator<Message> {
  const opening = element.openingElement as Node | undefined
  if (opening) yield* messagesBelow(opening)
  const children = element.children as Node[]
  const sentence = hasText(children) ? trimToSentence(children) : []
  for (const child of children) if (!sentence.includes(child)) yield* messagesOf(child)
  if (sentence.length === 0) return
  const { text, slots, expressions, openings } = serializeChildren(sentence)
  for (const expression of expressions) yield* messagesOf(expression)
  for (const opened of openings) yield* messagesBelow(opened)
  const [start, end] = [sentence[0]!.start, sentence.at(-1)!.end]
  yield { ...splitOuterSpaces(text), kind: 'children', start, end, slots }
}

function* attributeText(value: Node | null): Generator<Message> {
  const text = value?.type === 'Literal' ? (value.value as string) : ''
  if (!hasLetters(text)) return
  refuseMarks(text)
  yield { ...splitOuterSpaces(text), kind: 'attribute', start: value!.start, end: value!.end, slots: [] }
}

function* taggedText({ tag, quasi, start, end }: Node): Generator<Message> {
  const { quasis, expressions, ...template } = quasi as Node
  const texts = (quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked)
  const isPlain = identifierName(tag as Node) === 't'
  if (!isPlain && !texts.some(hasLetters)) return
  for (const text of texts) refuseMarks(text)
  const slots = (expressions as Node[]).map(
    (each): Slot => ({ kind: 'value', start: each.start, end: each.end }),
  )
  const key = texts.map((each, at) => each + (at < slots.length ? `{${at}}` : '')).join('')
  yield {
    ...splitOuterSpaces(key),
    kind: isPlain ? 'text' : 'template',
    start: isPlain ? start : template.start,
    end,
    slots,
  }
}

/** `counted(3, 'file', 'files')`: both nouns are one text. */
function* nouns(call: Node): Generator<Message> {
  const [, noun, plural] = call.arguments as Node[]
  const singularText = noun?.value
  if (!noun || typeof singularText !== 'string') return
  const pluralText = plural ? plural.value : `${singularText}s`
  if (typeof pluralText !== 'string') return
  const key = `${singularText}|${pluralText}`
  const { start } = noun
  yield { key, kind: 'nouns', start, end: (plural ?? noun).end, slots: [], before: '', after: '' }
}

/** A translation keeps the surrounding spaces. */
function splitOuterSpaces(text: string): Pick<Message, 'key' | 'before' | 'after'> {
  const key = text.trim()
  const at = text.indexOf(key)
  return { key, before: text.slice(0, at), after: text.slice(at + key.length) }
}

function refuseMarks(text: string): void {
  if (hasMarks(text)) throw new Error(`A text can't contain the marks of a catalogue, such as {0}: ${text}`)
}
