import type { Plugin } from 'vite'
import { pathOf, readCatalogue, translator } from './catalogue.ts'
import { findMessages } from './find-messages.ts'
import { type Message, tokensOf } from './message.ts'
import { childrenOf, type Node, nameOf, parseModule } from './syntax.ts'

const MODULE = /\/(dashboard|contract)\/.*\.tsx?$/

/**
 * Builds the dashboard in another language: replaces the words in the source by those of the catalogue, and writes
 * `index.<language>.html` beside the page in English. Neither page contains words of the other one.
 */
export function translate(language: string): Plugin {
  const catalogue = readCatalogue(language)
  return {
    name: 'atrium:translate',
    enforce: 'pre',
    transform(code, id) {
      if (!MODULE.test(id) || id.includes('node_modules')) return
      return { code: translateModule(id, code, language, translator(catalogue, pathOf(id))), map: null }
    },
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (!page) throw new Error('The build has no page')
        page.fileName = `index.${language}.html`
      },
    },
  }
}

/** The source of a module with its words in another language. Words without a translation stay as they are. */
export function translateModule(
  file: string,
  code: string,
  language: string,
  translationOf: (key: string) => string | undefined,
): string {
  const edits = [
    ...findLocales(file, code).map((range) => ({ ...range, text: () => JSON.stringify(language) })),
    ...findMessages(file, code).flatMap((message) => {
      const translation = translationOf(message.key)
      return translation ? [{ ...rangeOf(message), text: () => render(message, translation) }] : []
    }),
    // Outermost first: an outer edit renders the edits inside it.
  ].toSorted((a, b) => a.start - b.start || b.end - a.end)
  return renderRange(0, code.length)

  /** The source from `start` to `end` with the edits inside of it. */
  function renderRange(start: number, end: number): string {
    let text = ''
    let at = start
    for (const edit of edits) {
      if (edit.start < at || edit.end > end) continue
      text += code.slice(at, edit.start) + edit.text()
      at = edit.end
    }
    return text + code.slice(at, end)
  }

  function render(message: Message, translation: string): string {
    const { kind, slots, before, after } = message
    if (kind === 'nouns')
      return translation
        .split('|')
        .map((noun) => JSON.stringify(noun))
        .join(', ')
    const text = before + translation + after
    if (kind === 'string') return JSON.stringify(text)
    if (kind === 'attribute') return `{${JSON.stringify(text)}}`
    const parts = tokensOf(text).map((token) => {
      if (token.kind === 'text')
        return kind === 'template' ? escapeTemplate(token.text) : `{${JSON.stringify(token.text)}}`
      const slot = slots[token.slot]!
      if (slot.kind === 'element') {
        const { start, end } = token.kind === 'open' ? slot.open : slot.close
        return renderRange(start, end)
      }
      const value = renderRange(slot.start, slot.end)
      return kind === 'template' ? `\${${value}}` : value
    })
    return kind === 'template' ? `\`${parts.join('')}\`` : parts.join('')
  }
}

const rangeOf = ({ start, end }: Message) => ({ start, end })

const escapeTemplate = (text: string) => text.replace(/[\\`]|\$\{/g, '\\$&')

const FUNCTIONS =
  /^(toLocaleString|toLocaleDateString|toLocaleTimeString|localeCompare|DateTimeFormat|NumberFormat|ListFormat|RelativeTimeFormat|DisplayNames|PluralRules|Collator)$/
const ENGLISH = /^en(-US|-GB)?$/

/** Where a module formats numbers, times and lists in English: `toLocaleString('en')`. */
function findLocales(file: string, code: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  walk(parseModule(file, code))
  return ranges

  function walk(node: Node): void {
    if (/^(Call|New)Expression$/.test(node.type) && FUNCTIONS.test(nameOf(node.callee as Node))) {
      for (const { value, start, end } of node.arguments as Node[])
        if (typeof value === 'string' && ENGLISH.test(value)) ranges.push({ start, end })
    }
    for (const [child] of childrenOf(node)) walk(child)
  }
}
