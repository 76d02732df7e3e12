import type { Plugin } from 'vite'
import { pathOf, readCatalogue, translator } from './catalogue.ts'
import { translateModule } from './translate-module.ts'

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
