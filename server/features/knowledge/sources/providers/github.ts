import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { type Json, provider, type RemoteItem, type SettingsOf } from './provider.ts'
import { list, number, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'
import { SourceFailure } from './source-failure.ts'

/** Code isn't documentation. */
const DOCUMENTS = /\.(md|mdx|markdown|txt|rst|adoc|org|html?|pdf|docx|xlsx|pptx|odt|csv|ipynb)$/i
const TREES_MAX = 5000

type Settings = SettingsOf<'github'>

interface Tree {
  sha: string
  path: string
  /** One request for everything below. Not if that's more than GitHub answers at once. */
  deep: boolean
}

/** The commit's trees name every blob by the hash of its content. */
export const github = provider<'github'>({
  settings: SOURCE_SETTINGS.github,
  nameOf: ({ repository }) => repository.split('/')[1]!,

  async begin(remote, settings, cursor) {
    const branch = settings.branch ?? (await defaultBranch(remote, settings))
    const commit = await remote.get({
      path: `${pathOf(settings)}/commits/${encodeURIComponent(branch)}`,
    })
    const sha = text(commit.sha) ?? invalid()
    if (cursor === sha) return null
    const root = text(record(record(commit.commit).tree).sha) ?? invalid()
    const tree = await findFolder(remote, settings, root)
    return { cursor: sha, listing: [{ sha: tree, path: '', deep: true }] }
  },

  async list(remote, settings, listing) {
    const [tree, ...rest] = listing as unknown as Tree[]
    if (!tree) return { items: [], next: null }
    const answer = await remote.get({
      path: `${pathOf(settings)}/git/trees/${tree.sha}`,
      query: { recursive: tree.deep ? 1 : undefined },
    })
    if (tree.deep && answer.truncated === true)
      return { items: [], next: [{ ...tree, deep: false }, ...rest] as unknown as Json }
    const entries = required(answer.tree).map(record)
    const folders = tree.deep
      ? []
      : entries.flatMap(({ type, path, sha }) =>
          type === 'tree' && text(path) && text(sha)
            ? [{ sha: sha as string, path: `${tree.path}${path as string}/`, deep: true }]
            : [],
        )
    const next = [...folders, ...rest]
    if (next.length > TREES_MAX) throw new SourceFailure('refused', 'The repository has too many folders')
    return {
      items: entries.flatMap((entry) => itemOf(entry, tree.path)),
      next: next.length === 0 ? null : (next as unknown as Json),
    }
  },

  async download(remote, settings, item, _known, store) {
    const result = await remote.download(
      {
        path: `${pathOf(settings)}/git/blobs/${item.version}`,
        headers: { accept: 'application/vnd.github.raw+json' },
      },
      ({ content }) => store({ mimeType: '', content }),
    )
    if (result.kind === 'refused') return { kind: 'skipped', reason: result.reason }
    return result.kind === 'gone'
      ? { kind: 'gone' }
      : { kind: 'stored', stored: result.value, version: item.version }
  },
})

const pathOf = ({ repository }: Settings) =>
  `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`

const invalid = () => {
  throw new SourceFailure('try_again', 'GitHub answered with something unexpected')
}

async function defaultBranch(remote: Remote, settings: Settings): Promise<string> {
  return text((await remote.get({ path: pathOf(settings) })).default_branch) ?? invalid()
}

async function findFolder(remote: Remote, settings: Settings, root: string): Promise<string> {
  let sha = root
  for (const name of (settings.path ?? '').split('/').filter(Boolean)) {
    const answer = await remote.get({ path: `${pathOf(settings)}/git/trees/${sha}` })
    const found = list(answer.tree)
      .map(record)
      .find(({ path, type }) => path === name && type === 'tree')
    sha =
      text(found?.sha) ??
      (() => {
        throw new SourceFailure('not_found', `The repository has no folder ${settings.path}`)
      })()
  }
  return sha
}

function itemOf({ type, path, sha, size }: Record<string, unknown>, above: string): RemoteItem[] {
  if (type !== 'blob' || !text(path) || !text(sha) || !DOCUMENTS.test(path as string)) return []
  const id = above + (path as string)
  const parts = id.split('/')
  const isLarge = (number(size) ?? 0) > FILE_BYTES_MAX
  return [
    {
      id,
      folders: parts.slice(0, -1),
      name: parts.at(-1)!,
      version: sha as string,
      ...(isLarge && { skip: 'It is larger than 100 MB' }),
    },
  ]
}
