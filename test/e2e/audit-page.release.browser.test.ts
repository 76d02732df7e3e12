import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditPage } from './audit-page.ts'
import { CHROMIUM } from './browser.ts'
import { findMotion, findOverflow } from './page-layout.ts'
import { shareChromium } from './profiles.ts'

const PALE = 'color: #bbb'

describe.skipIf(!CHROMIUM)('page audit', () => {
  let page: Page
  beforeAll(async () => {
    page = await (await shareChromium(CHROMIUM)).newPage()
  })
  afterAll(() => page?.close())

  async function violationsOf(body: string) {
    await page.setContent(`<!doctype html><html lang="en"><title>A</title><body style="background: #fff">
      <main><h1>Readable</h1><p>Also readable</p>${body}</main>`)
    return (await auditPage(page, 'all')).map((violation) => violation.split(' ')[0])
  }

  test.each([
    ['a text style that no page had', `<p style="${PALE}">Pale</p>`],
    ['a known text style on another background', '<div style="background: #333"><p>Dark</p></div>'],
    ['a background behind a text without a position', '<p style="background: #333">Dark</p>'],
    ['a translucent group', '<div style="background: #fff; opacity: 0.4"><p>Faint</p></div>'],
    [
      'a positioned text that lies on another element',
      `<div style="position: relative"><div style="background: #333; height: 2em"></div>
       <p style="position: absolute; top: 0; margin: 0">On it</p></div>`,
    ],
    ['the value of a field', `<input aria-label="Name" value="Ada" style="${PALE}; background: #fff" />`],
    [
      'a text style that only a disabled control and a screen reader had',
      `<button disabled style="${PALE}">Disabled</button>
       <span style="${PALE}; position: relative; display: block; width: 1px; height: 1px; overflow: hidden">Read</span>`,
      `<p style="${PALE}">Pale</p>`,
    ],
  ])('reports the contrast for %s, after pages without a violation', async (_case, ...bodies) => {
    const faults = bodies.splice(-1)
    for (const body of ['', ...bodies]) expect(await violationsOf(body)).toEqual([])
    for (const body of [...faults, ...faults]) expect(await violationsOf(body)).toEqual(['color-contrast'])
  })

  test.each([
    ['a page that scrolls sideways', '<div style="width: 200vw; height: 1px"></div>', 'scrolls sideways'],
    [
      'an area that scrolls sideways',
      '<div data-scroll style="overflow-y: auto"><p style="width: 200vw">Wide</p></div>',
      'scrolls sideways: <div data-scroll',
    ],
    [
      'a control that is cut off',
      '<div style="overflow: hidden"><button style="margin-left: 200vw">Save</button></div>',
      'is outside: <button',
    ],
    [
      'nothing on a board that is made to scroll',
      '<div style="overflow-x: auto"><h2 style="margin-left: 200vw">Done</h2></div>',
    ],
  ])('detects %s', async (_case, body, ...problems) => {
    await page.setContent(`<!doctype html><body>${body}`)
    const found = await page.evaluate(findOverflow)
    expect(found.map((each) => problems.find((problem) => each.startsWith(problem)) ?? each)).toEqual(
      problems,
    )
  })

  test('detects movement and ignores a color change', async () => {
    await page.setContent(`<!doctype html><style>@keyframes turn { to { rotate: 1turn } } @keyframes fade { to { color: red } }</style>
      <p style="animation: fade 60s infinite">Fades</p><i style="animation: turn 60s infinite">Turns</i>`)
    expect(await page.evaluate(findMotion)).toEqual([expect.stringMatching(/^moves: <i /)])
  })

  test("names a violation's element", async () => {
    expect(await violationsOf('<button></button>')).toEqual(['button-name'])
    expect(await auditPage(page, 'all but contrast')).toEqual(['button-name <button></button>'])
  })
})
