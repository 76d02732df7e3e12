import type { Emitter, LanguageFn } from 'highlight.js'
import core from 'highlight.js/lib/core'

/** A text and its look, or null for plain text. */
export type Token = readonly [text: string, look: Look | null]
export type Look = (typeof LOOKS)[keyof typeof LOOKS]

/** Null without a grammar, or if it fails. */
export async function highlight(language: string, code: string): Promise<Token[] | null> {
  const load = GRAMMARS.get(language)
  if (!load) return null
  if (!highlighter.getLanguage(language)) highlighter.registerLanguage(language, (await load()).default)
  const { _emitter, errorRaised } = highlighter.highlight(code, { language, ignoreIllegals: true })
  return errorRaised ? null : (_emitter as TokenEmitter).tokens
}

type Grammar = () => Promise<{ default: LanguageFn }>

/** All are in the worker’s file. */
const GRAMMARS = new Map<string, Grammar>([
  ['bash', () => import('highlight.js/lib/languages/bash')],
  ['c', () => import('highlight.js/lib/languages/c')],
  ['cpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['dart', () => import('highlight.js/lib/languages/dart')],
  ['diff', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile', () => import('highlight.js/lib/languages/dockerfile')],
  ['elixir', () => import('highlight.js/lib/languages/elixir')],
  ['go', () => import('highlight.js/lib/languages/go')],
  ['graphql', () => import('highlight.js/lib/languages/graphql')],
  ['http', () => import('highlight.js/lib/languages/http')],
  ['ini', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript', () => import('highlight.js/lib/languages/javascript')],
  ['json', () => import('highlight.js/lib/languages/json')],
  ['kotlin', () => import('highlight.js/lib/languages/kotlin')],
  ['latex', () => import('highlight.js/lib/languages/latex')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile', () => import('highlight.js/lib/languages/makefile')],
  ['markdown', () => import('highlight.js/lib/languages/markdown')],
  ['nginx', () => import('highlight.js/lib/languages/nginx')],
  ['perl', () => import('highlight.js/lib/languages/perl')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell', () => import('highlight.js/lib/languages/powershell')],
  ['protobuf', () => import('highlight.js/lib/languages/protobuf')],
  ['python', () => import('highlight.js/lib/languages/python')],
  ['r', () => import('highlight.js/lib/languages/r')],
  ['ruby', () => import('highlight.js/lib/languages/ruby')],
  ['rust', () => import('highlight.js/lib/languages/rust')],
  ['scala', () => import('highlight.js/lib/languages/scala')],
  ['scss', () => import('highlight.js/lib/languages/scss')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript', () => import('highlight.js/lib/languages/typescript')],
  ['xml', () => import('highlight.js/lib/languages/xml')],
  ['yaml', () => import('highlight.js/lib/languages/yaml')],
])

/** The looks of highlight.js' scopes, by their first part: `title.function` is a `title`. Others look plain. */
const LOOKS = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  'meta-keyword': 'keyword',
  literal: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  code: 'string',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  doctag: 'comment',
  title: 'name',
  section: 'name',
  'selector-id': 'name',
  'selector-class': 'name',
  built_in: 'type',
  type: 'type',
  tag: 'type',
  name: 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  addition: 'addition',
  deletion: 'deletion',
} as const

/** Collects tokens; the library's own emitter writes HTML. */
class TokenEmitter implements Emitter {
  readonly tokens: Token[] = []
  readonly #scopes: (Look | null)[] = []

  startScope(name: string) {
    const [scope = ''] = name.split('.')
    const look = Object.hasOwn(LOOKS, scope) ? LOOKS[scope as keyof typeof LOOKS] : null
    // `tag` is around names, attributes and values that have their own looks.
    this.#scopes.push(look ?? this.#scopes.at(-1) ?? null)
  }

  endScope() {
    this.#scopes.pop()
  }

  /** The library still calls some scopes by their old name. */
  openNode(name: string) {
    this.startScope(name)
  }

  closeNode() {
    this.endScope()
  }

  addText(text: string) {
    this.#add(text, this.#scopes.at(-1) ?? null)
  }

  __addSublanguage(inner: Emitter) {
    for (const [text, look] of (inner as TokenEmitter).tokens) this.#add(text, look)
  }

  finalize() {}

  toHTML() {
    return ''
  }

  #add(text: string, look: Look | null) {
    if (text === '') return
    const last = this.tokens.at(-1)
    if (last?.[1] === look) this.tokens[this.tokens.length - 1] = [last[0] + text, look]
    else this.tokens.push([text, look])
  }
}

const highlighter = core.newInstance()
highlighter.configure({ __emitter: TokenEmitter })
