import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { provider, type RemoteItem, type SettingsOf } from './provider.ts'
import { bytesOf, list, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'

const PAGE_SIZE = 100
const DEPTH_MAX = 40
/** Notion's times have minutes, so an edit soon after another may have the same time. */
const SETTLED_MS = 120_000

type Settings = SettingsOf<'notion'>

interface Parent {
  kind: 'page' | 'database' | 'data_source' | 'block'
  id: string
}

interface Node {
  /** Null for blocks and data sources, which are no folders. */
  title: string | null
  parent: Parent | null
}

/** Search lists what the connection may read, in no tree and perhaps late, so removals are checked. */
export const notion = provider<'notion'>({
  settings: SOURCE_SETTINGS.notion,
  nameOf: () => 'Notion',

  async begin(remote, settings) {
    if (settings.pageId !== undefined && !(await isRootReadable(remote, settings.pageId)))
      await remote.get({ path: `/v1/pages/${plainId(settings.pageId)}` })
    return { cursor: null, listing: { after: null } }
  },

  async list(remote, settings, listing) {
    const after = text(record(listing).after)
    const answer = await remote.get({
      method: 'POST',
      path: '/v1/search',
      json: {
        filter: { property: 'object', value: 'page' },
        sort: { timestamp: 'last_edited_time', direction: 'ascending' },
        page_size: PAGE_SIZE,
        ...(after && { start_cursor: after }),
      },
    })
    const pages = required(answer.results).map(record)
    for (const page of pages) remember(remote, 'page', text(page.id) ?? '', nodeOf(page, 'page'))
    const items: RemoteItem[] = []
    for (const page of pages) items.push(...(await itemOf(remote, settings, page)))
    const next = answer.has_more === true ? text(answer.next_cursor) : null
    return { items, next: next === null ? null : { after: next } }
  },

  async download(remote, _settings, item, _known, store) {
    const answer = await remote.find({ path: `/v1/pages/${encodeURIComponent(item.id)}/markdown` })
    if (answer === null) return { kind: 'gone' }
    const { markdown, truncated } = record(answer)
    const note = truncated === true ? '\n\n(The page is longer than Notion hands out.)\n' : '\n'
    const title = item.name.replace(/\.md$/, '')
    const content = `# ${title}\n\n${text(markdown) ?? ''}${note}`
    const stored = await store({
      mimeType: 'text/markdown',
      content: bytesOf(content.toWellFormed().replaceAll('\0', '')),
    })
    return { kind: 'stored', stored, version: item.version }
  },

  async isGone(remote, settings, id) {
    const page = await remote.find({ path: `/v1/pages/${encodeURIComponent(id)}` })
    if (page === null || isTrashed(record(page))) return true
    return (await itemOf(remote, settings, record(page))).length === 0
  },
})

const plainId = (id: string) => id.replaceAll('-', '').toLowerCase()

const isTrashed = ({ in_trash, archived, is_archived }: Record<string, unknown>) =>
  in_trash === true || archived === true || is_archived === true

async function isRootReadable(remote: Remote, id: string): Promise<boolean> {
  const page = await remote.find({ path: `/v1/pages/${plainId(id)}` })
  if (page !== null) return !isTrashed(record(page))
  return (await remote.find({ path: `/v1/databases/${plainId(id)}` })) !== null
}

async function itemOf(
  remote: Remote,
  { pageId }: Settings,
  page: Record<string, unknown>,
): Promise<RemoteItem[]> {
  const [id, edited] = [text(page.id), text(page.last_edited_time)]
  if (!id || !edited || isTrashed(page)) return []
  const own = nodeOf(page, 'page')
  const above = await listAncestors(remote, own)
  const ids = [plainId(id), ...above.map((each) => plainId(each.id))]
  if (pageId !== undefined && !ids.includes(plainId(pageId))) return []
  const below = pageId === undefined ? above : above.slice(0, Math.max(0, ids.indexOf(plainId(pageId)) - 1))
  const isSettled = remote.now().getTime() - Date.parse(edited) > SETTLED_MS
  return [
    {
      id,
      folders: below.flatMap(({ title }) => (title === null ? [] : [title])).toReversed(),
      name: `${own.title ?? 'Untitled'}.md`,
      version: isSettled ? edited : `${edited} recent`,
    },
  ]
}

/** Nearest first. */
async function listAncestors(remote: Remote, node: Node): Promise<(Node & { id: string })[]> {
  const found: (Node & { id: string })[] = []
  let { parent } = node
  while (parent !== null && found.length < DEPTH_MAX) {
    const next = await findNode(remote, parent)
    if (next === null) break
    found.push({ ...next, id: parent.id })
    parent = next.parent
  }
  return found
}

const PATHS: Record<Parent['kind'], string> = {
  page: '/v1/pages',
  database: '/v1/databases',
  data_source: '/v1/data_sources',
  block: '/v1/blocks',
}

async function findNode(remote: Remote, { kind, id }: Parent): Promise<Node | null> {
  const key = `${kind} ${id}`
  if (remote.memo.has(key)) return remote.memo.get(key) as Node | null
  const answer = await remote.find({ path: `${PATHS[kind]}/${encodeURIComponent(id)}` })
  const node = answer === null ? null : nodeOf(record(answer), kind)
  remember(remote, kind, id, node)
  return node
}

const remember = (remote: Remote, kind: Parent['kind'], id: string, node: Node | null) =>
  void remote.memo.set(`${kind} ${id}`, node)

function nodeOf(answer: Record<string, unknown>, kind: Parent['kind']): Node {
  const titles =
    kind === 'database'
      ? list(answer.title)
      : Object.values(record(answer.properties)).flatMap((property) => list(record(property).title))
  const title = titles.map((part) => text(record(part).plain_text) ?? '').join('')
  const hasTitle = kind === 'page' || kind === 'database'
  return { title: hasTitle ? title || 'Untitled' : null, parent: parentOf(record(answer.parent)) }
}

function parentOf(parent: Record<string, unknown>): Parent | null {
  for (const kind of ['page', 'data_source', 'database', 'block'] as const) {
    const id = text(parent[`${kind}_id`])
    if (id && parent.type === `${kind}_id`) return { kind, id }
  }
  return null
}
