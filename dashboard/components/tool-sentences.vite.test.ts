import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { describeCalls } from './tool-sentences.tsx'

const plain = (node: React.ReactNode) =>
  renderToStaticMarkup(createElement(Fragment, null, node))
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
const done = (tool: string, ...inputs: [unknown, ...unknown[]]) =>
  plain(describeCalls(inputs.map((input) => ({ tool, input })) as [{ tool: string; input: unknown }]).done)
const task = (tool: string, input: unknown) => plain(describeCalls([{ tool, input }]).task)
const note = { type: 'note', title: 'A' }

describe('a finished call', () => {
  test.each([
    ['read_file', { file: '/plans/Contract.pdf' }, 'Read Contract.pdf'],
    ['read_file', { file: '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111' }, 'Read a file'],
    ['write_file', { name: 'plan.md', text: '' }, 'Wrote plan.md'],
    ['edit_canvas', { create: [note, note] }, 'Added 2 notes to the canvas'],
    ['edit_canvas', { create: [note, { type: 'text' }] }, 'Added 2 blocks to the canvas'],
    ['edit_canvas', { delete: ['a'] }, 'Deleted 1 block from the canvas'],
    ['edit_canvas', { update: [{}], delete: ['a'] }, 'Made 2 changes to the canvas'],
    ['organize_files', { trash: ['a', 'b'] }, 'Moved 2 files to the trash'],
    ['organize_files', { action: 'trash' }, 'Organized files'],
    ['search_knowledge', { queries: ['notice dates', 'x'] }, 'Searched knowledge for notice dates'],
    ['search_memory', { query: 'notice dates' }, 'Searched memory for notice dates'],
    ['web_fetch', { url: 'https://example.com/a' }, 'Read example.com'],
    [
      'web_fetch',
      { url: `https://bank.example.${'a.'.repeat(40)}evil.test/` },
      `Read ….${'a.'.repeat(25)}evil.test`,
    ],
    ['web_fetch', { url: `https://bank.example${'a'.repeat(60)}@evil.test/` }, 'Read evil.test'],
    ['make_payment', { amount: '12.50', currency: 'usd', payee: { name: 'Orbit' } }, 'Paid $12.50 to Orbit'],
    ['github_create_issue', { account: 'ada', title: 'Bug' }, 'Used Create issue in github: Bug'],
    ['mcp_linear_find_issues', { query: 'x' }, 'Used Find issues in linear: x'],
    ['check_stock', {}, 'Used Check stock'],
    ['toString', {}, 'Used ToString'],
    ['send_sms', { account: 'ada', to: '1' }, 'Used Sms in send'],
    ['update_project', { project: 'a', name: 'B' }, 'Renamed the project to B'],
    ['update_project', { name: 'B', visibility: 'team' }, 'Changed the project’s details'],
    ['read_file', { file: 'a\u202efdp.exe' }, 'Read a[U+202E]fdp.exe'],
  ])('%s with %j is told in words', (tool, input, sentence) => {
    expect(done(tool, input)).toBe(sentence)
  })

  test('is told together with others of its tool', () => {
    expect(done('read_file', { file: 'a' }, { file: 'b' })).toBe('Read 2 files')
    expect(done('web_fetch', { url: 'https://a.example' }, { url: 'https://b.example' })).toBe(
      'Read 2 web pages',
    )
  })
})

describe('text from an input', () => {
  test('stays text on one short line, in its own direction', () => {
    expect(done('search_memory', { query: `<b>\n${'x'.repeat(200)}` })).toMatch(
      /^Searched memory for <b> x{56}…$/,
    )
    const { task: node } = describeCalls([{ tool: 'search', input: { query: '\u05d0' } }])
    expect(renderToStaticMarkup(createElement(Fragment, null, node))).toContain('<bdi>\u05d0</bdi>')
  })

  test.each([null, 'text', 7, [], { file: 7 }])('may be anything: %j', (input) => {
    for (const tool of ['read_file', 'edit_canvas', 'organize_files', 'make_payment', 'run_agent', 'x'])
      expect(done(tool, input)).not.toBe('')
  })
})

test('a waiting call says what the agent wants to do', () => {
  expect(task('send_sms', { to: '+4930123456', body: 'Hi' })).toBe('send a text message to +4930123456')
})
