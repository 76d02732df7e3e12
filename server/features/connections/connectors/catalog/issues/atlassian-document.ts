import type { TemplateValue } from '../../definition/request-template.ts'
import { valueAt } from '../../requests/template.ts'

type Node = { readonly [key: string]: TemplateValue }
const DEPTH_MAX = 50
/** Nodes that end a line. */
const BLOCKS = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'listItem',
  'tableRow',
  'rule',
  'blockquote',
  'panel',
])

/** Plain text as a document of Atlassian: paragraphs with line breaks, and code between fences. */
export function documentOf(text: string): Node {
  const content = text
    .trim()
    .split(/```[\w-]*\n?([\s\S]*?)```/)
    .flatMap((part, index) => (index % 2 === 1 ? [codeOf(part)] : paragraphsOf(part)))
  return { version: 1, type: 'doc', content: content.length > 0 ? content : [paragraphOf('-')] }
}

const codeOf = (text: string): Node => ({
  type: 'codeBlock',
  content: text.trimEnd() === '' ? [] : [{ type: 'text', text: text.trimEnd() }],
})

const paragraphsOf = (text: string): Node[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(paragraphOf)

const paragraphOf = (text: string): Node => ({
  type: 'paragraph',
  content: text.split('\n').flatMap((line, index): Node[] => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    // An empty text node makes the document invalid.
    ...(line === '' ? [] : [{ type: 'text', text: line }]),
  ]),
})

/** The text of a document; text is returned as it is. */
export function textOfDocument(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  return read(value, 0)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function read(node: unknown, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  const type = valueAt(node, 'type')
  if (type === 'hardBreak') return '\n'
  const attribute =
    valueAt(node, 'attrs.text') ?? valueAt(node, 'attrs.url') ?? valueAt(node, 'attrs.shortName')
  const ownText = valueAt(node, 'text') ?? attribute
  const children = valueAt(node, 'content')
  const inner = Array.isArray(children) ? children.map((child) => read(child, depth + 1)).join('') : ''
  const text = (typeof ownText === 'string' ? ownText : '') + inner
  if (type === 'listItem') return `- ${text.trim()}\n`
  return BLOCKS.has(String(type)) ? `${text}\n` : text
}
