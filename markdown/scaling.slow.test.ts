import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/** Linear parsing of this much takes seconds; quadratic parsing does not end before the limit. */
const BYTES = 500_000
const LIMIT_MS = 120_000

const MARKDOWN = JSON.stringify(join(import.meta.dirname, 'markdown.ts'))
const PROGRAM = `
  const { workerData, parentPort } = require('node:worker_threads')
  const parse = async () => {
    const { createMarkdown } = await import(${MARKDOWN})
    const markdown = createMarkdown({ math: true })
    for (const text of workerData) markdown.parse(text, {})
    parentPort.postMessage('parsed')
  }
  void parse()
`

/** The report of the worker, or `stopped` at the limit. */
async function parseInWorker(texts: string[]): Promise<unknown> {
  const worker = new Worker(PROGRAM, { eval: true, workerData: texts })
  const timer = setTimeout(() => worker.terminate(), LIMIT_MS)
  const outcome = await Promise.race([
    once(worker, 'message').then(([message]) => message),
    once(worker, 'exit').then(() => 'stopped'),
  ])
  clearTimeout(timer)
  await worker.terminate()
  return outcome
}

test.each([
  ['fences', ['```\n```\n', '~~~\n']],
  ['headings', ['# #', '#\u2028 ']],
  ['lists', ['- a\n', '- ', '1. \u2028', '  - a\n']],
  ['quotes and rules', ['> ', '>- ', '>\n', '- - ', '* * x\n']],
  ['emphasis', ['**a*', '*a ', '_a ', '~~a ', '**', '__a_']],
  ['code and links', ['` ', '`a ``b ', '[', '[](', '![a](b', '\\']],
  ['formulas', ['$a ', '$$', '$$\n', '\\(', '\\[\n', '$$ a\n']],
  ['URLs', ['http://a.', 'http://%', 'https://a/....a', 'a@b.', '<a@', '//a.']],
  ['tables and definitions', ['|a', 'a|b\n-|-\n', '|-\n|-|\n', '[a]: b\n', '[a]:\n', "[x]: y '"]],
])(
  '500 KB of %s is parsed in linear time',
  async (_name, pieces) => {
    const texts = pieces.map((piece) => piece.repeat(BYTES / pieces.length / piece.length))
    const spaced = pieces.map((piece) => `${piece} ${' '.repeat(BYTES / pieces.length)}x`)
    expect(await parseInWorker([...texts, ...spaced])).toBe('parsed')
  },
  150_000,
)
