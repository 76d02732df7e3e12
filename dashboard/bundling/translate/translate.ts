import type { Plugin } from 'vite'
import { readCatalogue, repositoryPath, SOURCE_LANGUAGE, translator } from './catalogue.ts'
import { findMessages } from './find-messages.ts'
import { type Message, parseTokens } from './message.ts'

const MODULE = /^(?!\.\.|node_modules\/).+\.tsx?$/

/** Texts without a translation stay in English. The built page contains neither `t` nor a catalog. */
export const translate = (language: string): Plugin[] =>
  language === SOURCE_LANGUAGE ? [texts(language)] : [texts(language), pageIn(language)]

function texts(language: string): Plugin {
  const isSource = language === SOURCE_LANGUAGE
  const catalogue = isSource ? new Map() : readCatalogue(language)
  const untranslated = new Set<string>()
  return {
    name: 'atrium:texts',
    enforce: 'pre',
    // During development, `t` itself returns the English text.
    ...(isSource && { apply: 'build' }),
    transform(code, id) {
      const path = repositoryPath(id)
      // Parsing is slow, and English changes nothing but `t`.
      if (!MODULE.test(path) || (isSource && !code.includes('t`'))) return
      const translationOf = (key: string) => {
        const translation = translator(catalogue, path)(key)
        if (!translation) untranslated.add(key)
        return translation
      }
      return { code: translateModule(path, code, translationOf), map: null }
    },
    buildEnd() {
      if (!isSource && untranslated.size > 0)
        this.warn(`Texts without a translation: ${untranslated.size} (\`npm run words\` lists them)`)
    },
  }
}

/** Writes `index.<language>.html` beside the English page. */
const pageIn = (language: string): Plugin => ({
  name: 'atrium:page-language',
  transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html']
      if (!page) throw new Error('The build has no page')
      page.fileName = `index.${language}.html`
    },
  },
})

/** A text without a translation stays, without its tag. */
export function translateModule(
  file: string,
  code: string,
  translationOf: (key: string) => string | undefined,
): string {
  const edits = findMessages(file, code)
    .flatMap((message) => {
      const { key, kind, start, end } = message
      const translation = translationOf(key)
      if (translation) return [{ start, end, text: () => render(message, translation) }]
      return kind === 'text' ? [{ start, end, text: () => renderRange(start + 't'.length, end) }] : []
    })
    // Outermost first: an outer edit renders the edits inside it.
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  return renderRange(0, code.length)

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
    if (kind === 'attribute') return `{${JSON.stringify(text)}}`
    const isTemplate = kind !== 'children'
    const parts = parseTokens(text).map((token) => {
      if (token.kind === 'text')
        return isTemplate ? escapeTemplate(token.text) : `{${JSON.stringify(token.text)}}`
      const slot = slots[token.slot]!
      if (slot.kind === 'element') {
        const { start, end } = token.kind === 'open' ? slot.open : slot.close
        return renderRange(start, end)
      }
      const value = renderRange(slot.start, slot.end)
      return isTemplate ? `\${${value}}` : value
    })
    return isTemplate ? `\`${parts.join('')}\`` : parts.join('')
  }
}

const escapeTemplate = (text: string) => text.replace(/[\\`]|\$\{/g, '\\$&')
