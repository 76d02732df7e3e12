import { globSync, readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { withNames } from './name.tsx'

test("a sentence isolates each name's text direction", () => {
  const sentence = withNames`Moved ${'\u05d0\u05d1 (1)'} to ${'Plans'}`
  expect(renderToStaticMarkup(createElement('p', null, sentence))).toBe(
    '<p>Moved <bdi>\u05d0\u05d1 (1)</bdi> to <bdi>Plans</bdi></p>',
  )
})

test('toasts and dialog titles contain names only through withNames', () => {
  const root = new URL('../', import.meta.url).pathname
  const inPlainText =
    /\b(toast\(|success=\{|<\w*(?:Dialog|Empty)\b[^>]*?\btitle=\{)[^`;<>]{0,80}?(?<!withNames)`[^`]*\$\{[^}`]*\b(?:name|email|quoted|nameOrCount)\b/
  const offenders = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['dist/**'] }).filter((file) =>
    inPlainText.test(readFileSync(root + file, 'utf8')),
  )
  expect(offenders, 'write the sentence as a template with the tag withNames').toEqual([])
})

test('labels and tooltips contain names only through textWithNames', () => {
  const root = new URL('../', import.meta.url).pathname
  const inAttribute =
    /\b(?:aria-label|title|placeholder|label)=\{`[^`]*\$\{[^}`]*\b(?:name|nameLabel|email|tag|agentName)\b/
  const offenders = globSync('**/*.tsx', { cwd: root, exclude: ['dist/**'] }).filter((file) =>
    inAttribute.test(readFileSync(root + file, 'utf8')),
  )
  expect(offenders, 'write the text as a template with the tag textWithNames').toEqual([])
})
