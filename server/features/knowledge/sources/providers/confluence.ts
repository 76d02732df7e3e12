import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { fromStorage } from '../../../connections/connectors/connectors.ts'
import { provider, type RemoteItem } from './provider.ts'
import { bytesOf, list, number, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'
import { SourceFailure } from './source-failure.ts'

const PAGE_SIZE = 250
const DEPTH_MAX = 40

interface Listing {
  spaceId: string
  homepageId: string | null
  after: string | null
}

interface Node {
  title: string
  parentId: string | null
  parentType: string | null
}

/** Pages with their version numbers. A page that moves during the listing may be missed, so removals are checked. */
export const confluence = provider<'confluence'>({
  settings: SOURCE_SETTINGS.confluence,
  nameOf: ({ spaceKey }) => spaceKey,

  async begin(remote, { spaceKey }) {
    const answer = await remote.get({ path: '/wiki/api/v2/spaces', query: { keys: spaceKey, limit: 1 } })
    const space = record(list(answer.results)[0])
    const spaceId = text(space.id)
    if (!spaceId) throw new SourceFailure('not_found', `Confluence has no space ${spaceKey}`)
    return { cursor: null, listing: { spaceId, homepageId: text(space.homepageId), after: null } }
  },

  async list(remote, _settings, listing) {
    const { spaceId, homepageId, after } = listing as unknown as Listing
    const answer = await remote.get({
      path: `/wiki/api/v2/spaces/${encodeURIComponent(spaceId)}/pages`,
      query: { depth: 'all', status: 'current', limit: PAGE_SIZE, cursor: after ?? undefined },
    })
    const pages = required(answer.results).map(record)
    for (const page of pages) remote.memo.set(`page ${String(page.id)}`, nodeOf(page))
    const items: RemoteItem[] = []
    for (const page of pages) {
      const [id, version] = [text(page.id), number(record(page.version).number)]
      if (!id || version === null) continue
      const node = nodeOf(page)
      items.push({
        ...{ id, name: `${node.title}.md`, version: String(version) },
        folders: await foldersOf(remote, node, homepageId),
      })
    }
    const next = cursorIn(text(record(answer._links).next))
    return { items, next: next === null ? null : { spaceId, homepageId, after: next } }
  },

  async download(remote, _settings, item, _known, store) {
    const page = await remote.find({
      path: `/wiki/api/v2/pages/${encodeURIComponent(item.id)}`,
      query: { 'body-format': 'storage' },
    })
    if (page === null) return { kind: 'gone' }
    const { title, body } = record(page)
    const value = text(record(record(body).storage).value) ?? ''
    const content = `# ${text(title) ?? 'Untitled'}\n\n${fromStorage(value)}\n`
    const stored = await store({
      mimeType: 'text/markdown',
      content: bytesOf(content.toWellFormed().replaceAll('\0', '')),
    })
    return { kind: 'stored', stored, version: item.version }
  },

  async isGone(remote, { spaceKey }, id) {
    const page = await remote.find({ path: `/wiki/api/v2/pages/${encodeURIComponent(id)}` })
    if (page === null || record(page).status !== 'current') return true
    const space = await remote.get({ path: '/wiki/api/v2/spaces', query: { keys: spaceKey, limit: 1 } })
    return record(list(space.results)[0]).id !== record(page).spaceId
  },
})

const nodeOf = (page: Record<string, unknown>): Node => ({
  title: text(page.title) ?? 'Untitled',
  parentId: text(page.parentId),
  parentType: text(page.parentType),
})

/** The homepage is above everything, so it is no folder. */
async function foldersOf(remote: Remote, node: Node, homepageId: string | null): Promise<string[]> {
  const folders: string[] = []
  let { parentId, parentType } = node
  while (parentId !== null && parentId !== homepageId && folders.length < DEPTH_MAX) {
    const parent = await findNode(remote, parentId, parentType === 'folder' ? 'folder' : 'page')
    if (parent === null) break
    folders.unshift(parent.title)
    parentId = parent.parentId
    parentType = parent.parentType
  }
  return folders
}

async function findNode(remote: Remote, id: string, kind: 'page' | 'folder'): Promise<Node | null> {
  const key = `${kind} ${id}`
  if (remote.memo.has(key)) return remote.memo.get(key) as Node | null
  const found = await findOrRefused(remote, `/wiki/api/v2/${kind}s/${encodeURIComponent(id)}`)
  const node = found === null ? null : nodeOf(record(found))
  remote.memo.set(key, node)
  return node
}

/** Folders need a scope of their own, which older connections lack. */
async function findOrRefused(remote: Remote, path: string): Promise<unknown> {
  try {
    return await remote.find({ path })
  } catch (error) {
    if (error instanceof SourceFailure && error.means === 'refused') return null
    throw error
  }
}

function cursorIn(link: string | null): string | null {
  if (link === null || !URL.canParse(link, 'https://x')) return null
  return new URL(link, 'https://x').searchParams.get('cursor')
}
