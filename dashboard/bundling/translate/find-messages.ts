import { hasText, sentenceOf, serializeChildren } from './children.ts'
import type { Message, Slot } from './message.ts'
import { isTechnical, nameOf } from './places.ts'
import { hasLetters, isProse } from './prose.ts'
import { childrenOf, type Node, parseModule } from './syntax.ts'

/** The words of a module that people read, in the order of the source. A message may lie in an expression of another one. */
export function findMessages(file: string, code: string): Message[] {
  const messages: Message[] = []
  walk(parseModule(file, code), false)
  return messages

  /** `isPart`: the value becomes part of a sentence, so that a single word such as `files` is one, too. */
  function walk(node: Node, isPart: boolean): void {
    switch (node.type) {
      case 'JSXElement':
      case 'JSXFragment':
        return walkElement(node)
      case 'JSXAttribute':
        return walkBelow(node)
      case 'Literal':
        return addString(node, isPart)
      case 'TemplateLiteral':
        return addTemplate(node, isPart)
      case 'CallExpression':
        if (nameOf(node.callee as Node) === 'counted' && addNouns(node)) return walk((node.arguments as Node[])[0]!, false)
        return walkBelow(node)
      case 'ConditionalExpression':
        walk(node.test as Node, false)
        walk(node.consequent as Node, isPart)
        return walk(node.alternate as Node, isPart)
      case 'LogicalExpression':
        walk(node.left as Node, node.operator !== '&&' && isPart)
        return walk(node.right as Node, isPart)
      case 'ParenthesizedExpression':
        return walk(node.expression as Node, isPart)
      default:
        return walkBelow(node)
    }
  }

  function walkBelow(node: Node): void {
    for (const [child, property] of childrenOf(node)) {
      if (isTechnical(node, property)) continue
      if (node.type === 'JSXAttribute' && child.type === 'Literal') addString(child, false, 'attribute')
      else walk(child, false)
    }
  }

  function walkElement(element: Node): void {
    const opening = element.openingElement as Node | undefined
    if (opening) walkBelow(opening)
    const children = element.children as Node[]
    if (!hasText(children)) return children.forEach((child) => walk(child, false))
    const sentence = sentenceOf(children)
    for (const child of children) if (!sentence.includes(child)) walk(child, false)
    const { key, slots, expressions, openings } = serializeChildren(sentence)
    for (const expression of expressions) walk(expression, true)
    for (const opened of openings) walkBelow(opened)
    const [before, text, after] = trimmed(key)
    if (!hasLetters(text)) return
    messages.push({ key: text, kind: 'children', start: sentence[0]!.start, end: sentence.at(-1)!.end, slots, before, after })
  }

  function addString({ value, start, end }: Node, isPart: boolean, kind: Message['kind'] = 'string'): void {
    if (typeof value !== 'string' || /[{}]|<\d/.test(value)) return
    if (!(isPart ? hasLetters(value) : isProse(value))) return
    const [before, key, after] = trimmed(value)
    messages.push({ key, kind, start, end, slots: [], before, after })
  }

  function addTemplate({ quasis, expressions, start, end }: Node, isPart: boolean): void {
    const slots: Slot[] = (expressions as Node[]).map((expression) => ({ kind: 'value', start: expression.start, end: expression.end }))
    const text = (quasis as Node[]).map(({ value }, at) => (value as { cooked: string }).cooked + (at < slots.length ? `{${at}}` : '')).join('')
    const isMessage = isPart ? hasLetters(text) : isProse(text)
    for (const expression of expressions as Node[]) walk(expression, isMessage)
    if (!isMessage || (quasis as Node[]).some(({ value }) => /[{}]/.test((value as { cooked: string }).cooked))) return
    const [before, key, after] = trimmed(text)
    messages.push({ key, kind: 'template', start, end, slots, before, after })
  }

  /** `counted(3, 'file', 'files')`: the nouns are translated together. */
  function addNouns(call: Node): boolean {
    const [, noun, plural] = call.arguments as Node[]
    if (noun?.type !== 'Literal' || (plural && plural.type !== 'Literal')) return false
    const key = `${noun.value}|${plural?.value ?? `${noun.value}s`}`
    messages.push({ key, kind: 'nouns', start: noun.start, end: (plural ?? noun).end, slots: [], before: '', after: '' })
    return true
  }
}

function trimmed(text: string): [before: string, text: string, after: string] {
  const inner = text.trim()
  const at = text.indexOf(inner)
  return [text.slice(0, at), inner, text.slice(at + inner.length)]
}
