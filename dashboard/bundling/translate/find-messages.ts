import { hasText, sentenceOf, serializeChildren } from './children.ts'
import type { Message } from './message.ts'
import { nounsOf, splitOuterSpaces, stringOf, templateOf } from './strings.ts'
import { childrenOf, isPartOfSentence, isTechnical, type Node, nameOf, parseModule } from './syntax.ts'

/** The words of a module that people read. A message can contain another one in an expression. */
export const findMessages = (file: string, code: string): Message[] => [
  ...messagesOf(parseModule(file, code), false),
]

/** `isPart`: the value becomes part of a sentence, so that even a single word such as `files` is a message. */
function* messagesOf(node: Node, isPart: boolean): Generator<Message> {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      yield* messagesOfElement(node)
      break
    case 'Literal':
      yield* stringOf(node, isPart)
      break
    case 'TemplateLiteral': {
      const message = templateOf(node, isPart)
      yield* message
      for (const expression of node.expressions as Node[]) yield* messagesOf(expression, message.length > 0)
      break
    }
    case 'ConditionalExpression':
      yield* messagesOf(node.test as Node, false)
      yield* messagesOf(node.consequent as Node, isPart)
      yield* messagesOf(node.alternate as Node, isPart)
      break
    case 'LogicalExpression':
      yield* messagesOf(node.left as Node, node.operator !== '&&' && isPart)
      yield* messagesOf(node.right as Node, isPart)
      break
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      yield* messagesOf(node.expression as Node, isPart)
      break
    case 'ObjectExpression':
      for (const property of node.properties as Node[]) yield* messagesBelow(property, isPart)
      break
    default:
      yield* messagesBelow(node)
  }
}

function* messagesBelow(node: Node, isPart = false): Generator<Message> {
  const nouns =
    node.type === 'CallExpression' && nameOf(node.callee as Node) === 'counted' ? nounsOf(node) : []
  yield* nouns
  for (const [child, property] of childrenOf(node)) {
    if (isTechnical(node, property) || (nouns.length > 0 && child.type === 'Literal')) continue
    const isWord = isPart || isPartOfSentence(node, property)
    if (node.type === 'JSXAttribute' && child.type === 'Literal') yield* stringOf(child, isWord, 'attribute')
    else yield* messagesOf(child, isWord)
  }
}

function* messagesOfElement(element: Node): Generator<Message> {
  const opening = element.openingElement as Node | undefined
  if (opening) yield* messagesBelow(opening)
  const children = element.children as Node[]
  const sentence = hasText(children) ? sentenceOf(children) : []
  for (const child of children) if (!sentence.includes(child)) yield* messagesOf(child, false)
  if (sentence.length === 0) return
  const { text, slots, expressions, openings } = serializeChildren(sentence)
  for (const expression of expressions) yield* messagesOf(expression, true)
  for (const opened of openings) yield* messagesBelow(opened)
  const [start, end] = [sentence[0]!.start, sentence.at(-1)!.end]
  yield { ...splitOuterSpaces(text), kind: 'children', start, end, slots }
}
