import { expect, test } from 'vitest'
import { airtable } from '../../../server/features/connections/connectors/catalog/knowledge/airtable.ts'
import {
  confluence,
  fromStorage,
  toStorage,
} from '../../../server/features/connections/connectors/catalog/knowledge/confluence.ts'
import { dropbox } from '../../../server/features/connections/connectors/catalog/knowledge/dropbox.ts'
import { notion } from '../../../server/features/connections/connectors/catalog/knowledge/notion.ts'
import {
  type ComparableRequest,
  expectSameRequests,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { recordedRequests } from '../../../server/features/connections/connectors/catalog/testing/recorded.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  captureRequest,
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const notionClient = async (url: string) => {
  const { Client } = await import('@notionhq/client')
  return new Client({ auth: 'token', baseUrl: url, notionVersion: '2026-03-11', retry: false })
}
const PAGE = '0123456789abcdef0123456789abcdef'
const NOTION: ToolCase[] = [
  [
    'search',
    { query: 'plan', type: 'page' },
    async (url) =>
      (await notionClient(url)).search({
        query: 'plan',
        page_size: 20,
        filter: { property: 'object', value: 'page' },
      }),
  ],
  [
    'search',
    { query: '', limit: 5 },
    async (url) =>
      (await notionClient(url)).search({
        query: '',
        page_size: 5,
        sort: { timestamp: 'last_edited_time', direction: 'descending' },
      }),
  ],
  [
    'read_page',
    { pageId: PAGE },
    async (url) => (await notionClient(url)).pages.retrieveMarkdown({ page_id: PAGE }),
  ],
  [
    'query_database',
    { dataSourceId: PAGE, filter: { property: 'Done', checkbox: { equals: true } } },
    async (url) =>
      (await notionClient(url)).dataSources.query({
        data_source_id: PAGE,
        filter: { property: 'Done', checkbox: { equals: true } },
        page_size: 20,
      }),
  ],
  [
    'create_page',
    { parentPageId: PAGE, title: 'New', markdown: '# Hi' },
    async (url) =>
      (await notionClient(url)).pages.create({
        parent: { type: 'page_id', page_id: PAGE },
        properties: { title: { title: [{ type: 'text', text: { content: 'New' } }] } },
        markdown: '# Hi',
      }),
  ],
  [
    'append_to_page',
    { pageId: PAGE, markdown: '- one' },
    async (url) =>
      (await notionClient(url)).pages.updateMarkdown({
        page_id: PAGE,
        type: 'insert_content',
        insert_content: { content: '- one', position: { type: 'end' } },
      }),
  ],
  [
    'comment',
    { pageId: PAGE, text: 'Nice' },
    async (url) => (await notionClient(url)).comments.create({ parent: { page_id: PAGE }, markdown: 'Nice' }),
  ],
]

test("notion sends its SDK's requests with the version header", async () => {
  const target = createTarget(notion)
  await expectSameRequests(target, NOTION)
  const [me] = await recordRequests(async (url) => (await notionClient(url)).users.me({}))
  const check = await sentRequest(target, notion.check.request)
  expect(toComparable(check)).toEqual(toComparable(me!))
  expect(check.headers['notion-version']).toBe(me!.headers['notion-version'])
})

test('notion returns rows with their property values, not descriptions', () => {
  const text = (plain_text: string) => [{ type: 'text', plain_text }]
  const row = {
    id: PAGE,
    url: 'https://notion.so/x',
    last_edited_time: '2026-11-16T00:00:00Z',
    properties: {
      Name: { id: 'title', type: 'title', title: text('Launch') },
      Status: { type: 'status', status: { id: '1', name: 'Done', color: 'green' } },
      Tags: { type: 'multi_select', multi_select: [{ name: 'a' }, { name: 'b' }] },
      Due: { type: 'date', date: { start: '2026-11-20', end: null } },
      Total: { type: 'formula', formula: { type: 'number', number: 3 } },
      Cost: { type: 'number', number: 0 },
      Empty: { type: 'rich_text', rich_text: [] },
      Made: { type: 'created_by', created_by: { id: 'u1' } },
    },
  }
  const { answer } = notion.tools.find(({ name }) => name === 'query_database')!
  expect(answer!.map!({ results: [row] })).toEqual([
    {
      id: PAGE,
      url: 'https://notion.so/x',
      lastEdited: '2026-11-16T00:00:00Z',
      properties: { Name: 'Launch', Status: 'Done', Tags: ['a', 'b'], Due: '2026-11-20', Total: 3, Cost: 0 },
    },
  ])
})

/** The SDK supports the hosts of Dropbox only. */
const dropboxClient = async (base: string) => {
  const { Dropbox } = await import('dropbox')
  const redirected = (url: string, init: RequestInit) => fetch(base + new URL(url).pathname, init)
  return new Dropbox({ accessToken: 'token', fetch: redirected })
}
const PATH = '/Ünïcode {path} "x".txt'
const DROPBOX: ToolCase[] = [
  [
    'search',
    { query: 'plan', folder: '/A', limit: 5 },
    async (url) =>
      (await dropboxClient(url)).filesSearchV2({
        query: 'plan',
        options: { path: '/A', max_results: 5, file_status: { '.tag': 'active' } },
      }),
  ],
  ['list_folder', {}, async (url) => (await dropboxClient(url)).filesListFolder({ path: '', limit: 20 })],
  ['read_file', { path: PATH }, async (url) => (await dropboxClient(url)).filesDownload({ path: PATH })],
  [
    'upload_file',
    { path: PATH, content: 'Hi' },
    async (url) =>
      (await dropboxClient(url)).filesUpload({ path: PATH, contents: 'Hi', mode: { '.tag': 'add' } }),
  ],
  [
    'share_link',
    { path: PATH },
    async (url) => (await dropboxClient(url)).sharingCreateSharedLinkWithSettings({ path: PATH }),
  ],
  ['delete_file', { path: PATH }, async (url) => (await dropboxClient(url)).filesDeleteV2({ path: PATH })],
]

test("dropbox sends its SDK's requests, with file arguments in a header", async () => {
  const target = createTarget(dropbox)
  // A union is its tag alone, or an object with the tag.
  const tagsOnly = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, each) => each?.['.tag'] ?? each))
  for (const [tool, input, vendor] of DROPBOX) {
    const ours = await captureRequest(target, tool, input)
    const [theirs] = await recordRequests(vendor as (url: string) => Promise<unknown>)
    expect(toComparable(ours), tool).toEqual(tagsOnly(toComparable(theirs!)))
    const [ourArgument, vendorArgument] = [ours, theirs!].map(({ headers }) =>
      JSON.parse(headers['dropbox-api-arg'] ?? 'null'),
    )
    expect(ourArgument, tool).toEqual(tagsOnly(vendorArgument))
  }
  expect(DROPBOX.map(([name]) => name)).toEqual(dropbox.tools.map(({ name }) => name))
  const [me] = await recordRequests(async (url) => (await dropboxClient(url)).usersGetCurrentAccount())
  expect(toComparable(await sentRequest(target, dropbox.check.request))).toEqual(toComparable(me!))
})

test('dropbox never puts a credential into file arguments', async () => {
  const path = '/{credentials.accessToken}/{accessToken}'
  const { headers } = await captureRequest(
    createTarget(dropbox, { credentials: { accessToken: 'sl.secret' } }),
    'read_file',
    {
      path,
    },
  )
  expect(headers['dropbox-api-arg']).not.toContain('sl.secret')
  expect(JSON.parse(headers['dropbox-api-arg']!)).toEqual({ path })
})

test("airtable sends its SDK's requests", async () => {
  const { list_records, create_records, update_records } = recordedRequests('airtable')
  // The SDK adds a slash to the paths of writes, which the documentation does not have.
  const withoutSlash = (request: ComparableRequest) => ({ ...request, path: request.path.replace(/\/$/, '') })
  const [baseId, table] = ['app00000000000000', 'Tasks & more']
  await expectSameRequests(createTarget(airtable), [
    ['list_records', { baseId, table, formula: "{Status} = 'Open'", view: 'Grid' }, list_records!],
    [
      'create_records',
      { baseId, table, records: [{ fields: { Name: 'A' } }], typecast: true },
      withoutSlash(create_records!),
    ],
    [
      'update_records',
      { baseId, table, records: [{ id: 'rec00000000000000', fields: { Name: 'B' } }], typecast: true },
      withoutSlash(update_records!),
    ],
    ['list_bases', {}, { method: 'GET', path: '/v0/meta/bases', query: {}, body: null }],
    [
      'describe_base',
      { baseId },
      { method: 'GET', path: `/v0/meta/bases/${baseId}/tables`, query: {}, body: null },
    ],
  ])
})

test('confluence writes text as paragraphs and reads pages as text, in linear time', async () => {
  const target = createTarget(confluence, { kept: { cloudId: 'c1' } })
  const created = await captureRequest(target, 'create_page', {
    spaceId: '5',
    title: 'T',
    text: 'a <b> & c\nd\n\ne',
  })
  expect([created.path, created.body]).toEqual([
    '/ex/confluence/c1/wiki/api/v2/pages',
    {
      spaceId: '5',
      status: 'current',
      title: 'T',
      body: { representation: 'storage', value: '<p>a &lt;b&gt; &amp; c<br/>d</p><p>e</p>' },
    },
  ])
  const updated = await captureRequest(target, 'update_page', {
    pageId: '7',
    title: 'T',
    text: 'x',
    version: 3,
  })
  expect(updated.body).toMatchObject({ id: '7', version: { number: 4 } })
  expect(fromStorage(toStorage('a <b> & c\nd\n\ne'))).toBe('a <b> & c\nd\n\ne')
  const page =
    '<h2>Plan</h2><p>One&nbsp;&#8364;</p><ul><li>a</li><li>b</li></ul><table><tr><td>x</td><td>y</td></tr></table><ac:structured-macro><ac:parameter ac:name="l">js</ac:parameter><ac:plain-text-body><![CDATA[if (a < b) {}]]></ac:plain-text-body></ac:structured-macro>'
  expect(fromStorage(page)).toBe('## Plan\n\nOne €\n\n- a\n- b\n\nx | y |\n\nif (a < b) {}')
  for (const hostile of ['<', '<![CDATA[', '<ac:parameter ', '&#', ' ', '\n'])
    fromStorage(hostile.repeat(200_000))
  const { keep } = confluence.discover!
  const scopes = ['read:page:confluence']
  const sites = [
    { id: 'c0', url: 'https://two.atlassian.net', scopes: ['read:jira-work'] },
    { id: 'c1', url: 'https://one.atlassian.net', scopes },
    { id: 'c2', url: 'https://two.atlassian.net', scopes },
  ]
  expect([keep(sites, { site: 'Two' }), keep(sites, {})]).toMatchObject([
    { cloudId: 'c2' },
    { cloudId: 'c1' },
  ])
  expect(() => keep(sites, { site: 'three' })).toThrow('no access to https://three.atlassian.net')
})
