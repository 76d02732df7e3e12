import type { Slot } from './message.ts'
import type { Node } from './syntax.ts'

/** Numbers and signs alone are the same in every language. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text)

export const hasText = (children: Node[]): boolean =>
  children.some((child) => hasLetters(textOf(child) ?? ''))

/** Drops elements before and after the sentence, such as icons. */
export function trimToSentence(children: Node[]): Node[] {
  const isInSentence = (child: Node) =>
    child.type !== 'JSXElement'
      ? textOf(child) === null || textOf(child)!.trim() !== ''
      : hasText(child.children as Node[])
  return children.slice(children.findIndex(isInSentence), children.findLastIndex(isInSentence) + 1)
}

interface SerializedChildren {
  text: string
  slots: Slot[]
  expressions: Node[]
  /** For words in attributes. */
  openings: Node[]
}

/** Turns children into one text. Elements that contain text become marks around it. */
export function serializeChildren(children: Node[]): SerializedChildren {
  const slots: Slot[] = []
  const expressions: Node[] = []
  const openings: Node[] = []
  const text = children.map(serialize).join('')
  return { text, slots, expressions, openings }

  function serialize(child: Node): string {
    const text = textOf(child)
    if (text !== null) return text
    const { start, end } = child
    if (child.type === 'JSXExpressionContainer' && (child.expression as Node).type === 'JSXEmptyExpression')
      return ''
    const slot = slots.length
    const inner = child.type === 'JSXElement' ? (child.children as Node[]) : []
    if (hasText(inner)) {
      const opening = child.openingElement as Node
      slots.push({ kind: 'element', open: rangeOf(opening), close: rangeOf(child.closingElement as Node) })
      openings.push(opening)
      return `<${slot}>${inner.map(serialize).join('')}</${slot}>`
    }
    slots.push({ kind: 'value', start, end })
    expressions.push(child.type === 'JSXExpressionContainer' ? (child.expression as Node) : child)
    return `{${slot}}`
  }
}

const rangeOf = ({ start, end }: Node) => ({ start, end })

/** As the browser shows it; null for an expression or an element. */
function textOf(child: Node): string | null {
  if (child.type === 'JSXText') return withoutLineBreaks(decode(child.value as string))
  const expression = child.type === 'JSXExpressionContainer' ? (child.expression as Node) : null
  return expression?.type === 'Literal' && typeof expression.value === 'string' ? expression.value : null
}

/** As React does: line breaks with surrounding spaces become one space between words, and nothing at the ends. */
function withoutLineBreaks(text: string): string {
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const left = at === 0 ? line : line.trimStart()
      return at === lines.length - 1 ? left : left.trimEnd()
    })
    .filter((line) => line !== '')
    .join(' ')
}

const ENTITIES: Record<string, string> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decode = (text: string) => text.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
