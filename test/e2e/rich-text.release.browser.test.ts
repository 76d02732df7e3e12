import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const TEXT = `It costs $5 or $10, and $a^2 + b^2 = c^2$.

| Supplier | Next year |
| --- | ---: |
| Harbor | $50,140 |

\`\`\`sql
select 'supplier' from contracts
\`\`\`

\`\`\`mermaid
flowchart LR
  A[Read] --> B[Decide]
\`\`\`

\`\`\`mermaid
flowchart LR
  A -->
\`\`\`

\`\`\`mermaid
flowchart LR
  A["<b>Bold</b>"] --> B
  click A href "javascript:alert(1)"
\`\`\`
`

describe.skipIf(!CHROMIUM)('rich text', () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  let session: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    ada = await e2e.app.person(await e2e.app.organization())
    const api = await e2e.app.withSession(ada)
    const { id: projectId } = await e2e.app.project(ada)
    const { id: agentId } = await api.agents.create({ name: 'Echo', model: 'test/echo' })
    session = (await api.sessions.create({ projectId, agentId, message: { content: TEXT } })).id
  })

  const answer = (page: Page) =>
    page.getByRole('log', { name: 'Conversation' }).getByRole('article', { name: 'Agent' })
  const diagrams = (page: Page) => answer(page).getByRole('img', { name: /^Diagram: / })

  test('shows formulas, tables, colored code and diagrams, and prices as text', async () => {
    const page = await e2e.visit(`/chat/${session}`, { as: ada })
    await answer(page).locator('math').waitFor()
    await answer(page).getByText('It costs $5 or $10, and').waitFor()
    await answer(page).getByRole('cell', { name: '$50,140' }).waitFor()
    const keyword = answer(page).getByText('select', { exact: true })
    await expect.poll(() => keyword.evaluate((word) => word.tagName)).toBe('SPAN')
    await expect.poll(() => diagrams(page).count()).toBe(2)
    await answer(page).getByText('This diagram has an error, so you see its source.').waitFor()
    await inspectPage(page, 'rich-text')
  })

  test('draws diagrams in a frame without an origin, and shows them only as images', async () => {
    const requests: string[] = []
    const page = await e2e.visit('about:blank', { as: ada })
    page.on('request', (request) => requests.push(request.url()))
    page.on('dialog', () => expect.unreachable('a diagram ran a script'))
    await page.goto(`/chat/${session}`)
    await expect.poll(() => diagrams(page).count()).toBe(2)
    expect(requests.filter((url) => url.includes('evil.example'))).toEqual([])
    const sources = await diagrams(page).evaluateAll((images) =>
      images.map((image) => image.getAttribute('src') ?? ''),
    )
    for (const source of sources) {
      expect(source).toMatch(/^data:image\/svg\+xml/)
      expect(decodeURIComponent(source)).not.toMatch(/<script|<a\s|javascript:/i)
    }
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
    const frame = page.frames().find((each) => each.url().endsWith('/frames/diagram.html'))!
    const reached = await frame.evaluate(async () => {
      const attempts: Record<string, () => unknown> = {
        cookies: () => document.cookie,
        storage: () => localStorage.length,
        parent: () => parent.document.title,
      }
      const open = Object.keys(attempts).filter((name) => {
        try {
          attempts[name]!()
          return true
        } catch {
          return false
        }
      })
      return { origin: self.origin, open }
    })
    expect(reached).toEqual({ origin: 'null', open: [] })
  })

  test('serves the frame with its own policy, and scripts that a frame without an origin may load', async () => {
    const { headers } = await e2e.app.request('GET', '/frames/diagram.html')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts",
    )
    for (const path of ['/frames/mermaid.js', '/frames/diagram.js']) {
      const script = await e2e.app.request('GET', path)
      expect([path, script.headers.get('cross-origin-resource-policy')]).toEqual([path, 'cross-origin'])
    }
  })

  test('stays usable beside code that takes minutes to color', async () => {
    const api = await e2e.app.withSession(ada)
    const { id: projectId } = await e2e.app.project(ada)
    const { id: agentId } = await api.agents.create({ name: 'Endless', model: 'test/echo' })
    const content = `\`\`\`ini\n${'0b'.repeat(25_000)}\n\`\`\`\n\n\`\`\`sql\nselect total\n\`\`\``
    const { id } = await api.sessions.create({ projectId, agentId, message: { content } })
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const keyword = answer(page).getByText('select', { exact: true })
    await expect.poll(() => keyword.evaluate((word) => word.tagName), { timeout: 20_000 }).toBe('SPAN')
    await answer(page).getByText('0b0b0b').waitFor()
  })

  test('copies, wraps and downloads code', async () => {
    const page = await e2e.visit(`/chat/${session}`, { as: ada })
    const wrap = answer(page).getByRole('button', { name: 'Wrap lines' }).first()
    await wrap.click()
    expect(await wrap.getAttribute('aria-pressed')).toBe('true')
    const downloading = page.waitForEvent('download')
    await answer(page).getByRole('button', { name: 'Download code' }).first().click()
    expect((await downloading).suggestedFilename()).toBe('code.sql')
  })
})
