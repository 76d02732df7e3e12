import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Web search', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } }),
  })
  let engine: Awaited<ReturnType<typeof startReceiver>>
  let url: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    engine = await startReceiver((_request, response) =>
      response.end(
        JSON.stringify({
          results: [
            { url: 'https://rivers.example/elbe', title: 'The Elbe', content: 'It is 1,094 km long.' },
            { url: 'https://lakes.example/', title: '<b>Lakes</b>', content: '' },
          ],
        }),
      ),
    )
    url = new URL(engine.url).origin
  })
  afterAll(() => engine?.close())

  test('a provider is chosen, tested and removed', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const api = await e2e.app.withSession(ada)
    const page = await e2e.visit('/agents/new?from=researcher&tab=tools', {
      as: ada,
      expectedStatuses: [400],
    })
    // The editor says what is missing, and where.
    await page.getByRole('link', { name: 'Choose a provider' }).click()
    await page.getByRole('heading', { name: 'Web search', level: 1 }).waitFor()
    await page.getByText('agents can’t search the web').waitFor()
    await page.getByLabel('URL', { exact: true }).fill('http://10.0.0.1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a URL that can be reached from the internet.').waitFor()
    await inspectPage(page, 'web-search')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('Tavily')
    await page.getByRole('link', { name: 'Get a key from Tavily' }).waitFor()
    await page.getByLabel('URL (optional)').fill(url)
    await page.getByLabel('API key').fill('tvly-a-key-of-0001')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Chosen by this organization').waitFor()
    await page.getByText('which ends with 0001').waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/^It found 2 results in \d+ ms\.$/).waitFor()
    expect(engine.requests.at(-1)!.headers.authorization).toBe('Bearer tvly-a-key-of-0001')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove provider' }).click()
    await page.getByText('agents can’t search the web').waitFor()
    expect(await api.webSearch.get()).toMatchObject({ provider: null })
  })

  test('members see the provider, and can’t change it', async () => {
    const grace = await e2e.app.person(await e2e.app.organization(), { role: 'member' })
    const page = await e2e.visit('/settings/organization/web-search', { as: grace })
    await page.getByText('An admin can choose one.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  })

  test('an agent’s domains are saved, and a wrong one is named', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const api = await e2e.app.withSession(ada)
    const { id } = await api.agents.create({ name: 'Reader', model: 'test/echo', tools: { web: true } })
    const page = await e2e.visit(`/agents/${id}?tab=tools`, { as: ada, expectedStatuses: [400] })
    await page.getByLabel('Only these domains').fill('Example.com, https://example.org/')
    await page.getByRole('button', { name: /^Publish version/ }).click()
    await page.getByText(/a domain such as example\.com/).waitFor()
    await page.getByLabel('Only these domains').fill('Example.com, example.org')
    await page.getByLabel('Never these domains').fill('ads.example.com')
    await page.getByRole('button', { name: /^Publish version/ }).click()
    await expect
      .poll(async () => (await api.agents.get({ id })).web)
      .toEqual({ allowedDomains: ['example.com', 'example.org'], deniedDomains: ['ads.example.com'] })
  })

  test('a chat shows a search as a sentence with its results', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const api = await e2e.app.withSession(ada)
    await api.webSearch.put({ kind: 'searxng', url })
    const agent = await api.agents.create({ name: 'Finder', model: 'test/script', tools: { web: true } })
    const project = await e2e.app.project(ada)
    const script = 'call web_search {"query":"length of the Elbe"}\n---\nsay 1,094 km'
    const { id } = await api.sessions.create({
      projectId: project.id,
      agentId: agent.id,
      message: { content: `Find it\n\`\`\`script\n${script}\n\`\`\`` },
    })
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    await page.getByText('Searched the web for length of the Elbe').click()
    const results = page.getByRole('list', { name: 'Search results' })
    const link = results.getByRole('link', { name: 'The Elbe' })
    expect(await link.getAttribute('href')).toBe('https://rivers.example/elbe')
    expect(await link.getAttribute('rel')).toContain('noreferrer')
    expect(await results.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/The Elbe\s+rivers\.example\s+It is 1,094 km long\./),
      expect.stringMatching(/Lakes\s+lakes\.example/),
    ])
  })
})
