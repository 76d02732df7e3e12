import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { provider, type RemoteItem, type SettingsOf } from './provider.ts'
import { list, number, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'
import { SourceFailure } from './source-failure.ts'

type Settings = SettingsOf<'dropbox'>

const PAGE_SIZE = 1000

/** A folder's cursor tells whether anything below it changed. */
export const dropbox = provider<'dropbox'>({
  settings: SOURCE_SETTINGS.dropbox,
  nameOf: ({ path }) => path.split('/').findLast(Boolean) ?? 'Dropbox',

  async begin(remote, settings, cursor) {
    if (typeof cursor === 'string' && !(await hasChanges(remote, cursor))) return null
    const latest = await post(remote, 'get_latest_cursor', { path: folderOf(settings), recursive: true })
    return { cursor: text(latest.cursor), listing: { after: null } }
  },

  async list(remote, settings, listing) {
    const after = text(record(listing).after)
    const answer =
      after === null
        ? await post(remote, null, { path: folderOf(settings), recursive: true, limit: PAGE_SIZE })
        : await post(remote, 'continue', { cursor: after })
    const next = answer.has_more === true ? text(answer.cursor) : null
    const depth = folderOf(settings).split('/').filter(Boolean).length
    return {
      items: required(answer.entries).flatMap((entry) => itemOf(record(entry), depth)),
      next: next === null ? null : { after: next },
    }
  },

  async download(remote, _settings, item, _known, store) {
    const isExport = item.handle === 'export'
    const result = await remote.download(
      {
        method: 'POST',
        path: `https://content.dropboxapi.com/2/files/${isExport ? 'export' : 'download'}`,
        headers: { 'dropbox-api-arg': JSON.stringify({ path: item.id }) },
      },
      ({ content }) => store({ mimeType: '', content }),
    )
    if (result.kind === 'gone' || (result.kind === 'refused' && result.reason.includes('not_found')))
      return { kind: 'gone' }
    if (result.kind === 'refused') return { kind: 'skipped', reason: result.reason }
    return { kind: 'stored', stored: result.value, version: item.version }
  },
})

/** Without the last slash; the account's folder is the empty path. */
const folderOf = ({ path }: Settings): string => {
  const names = path.split('/').filter(Boolean)
  return names.length === 0 ? '' : `/${names.join('/')}`
}

async function post(
  remote: Remote,
  name: 'continue' | 'get_latest_cursor' | null,
  json: unknown,
): Promise<Record<string, unknown>> {
  try {
    return await remote.get({
      method: 'POST',
      path: name === null ? '/2/files/list_folder' : `/2/files/list_folder/${name}`,
      json,
    })
  } catch (error) {
    if (error instanceof SourceFailure && /not_found|not_folder/.test(error.message))
      throw new SourceFailure('not_found', 'Dropbox has no such folder')
    throw error
  }
}

/** A cursor that Dropbox has reset counts as a change. */
async function hasChanges(remote: Remote, cursor: string): Promise<boolean> {
  try {
    const answer = await post(remote, 'continue', { cursor })
    return list(answer.entries).length > 0 || answer.has_more === true
  } catch (error) {
    if (error instanceof SourceFailure && error.means !== 'try_again') return true
    throw error
  }
}

function itemOf(entry: Record<string, unknown>, depth: number): RemoteItem[] {
  const [id, path] = [text(entry.id), text(entry.path_display)]
  if (entry['.tag'] !== 'file' || !id || !path) return []
  const names = path.split('/').filter(Boolean).slice(depth)
  const name = names.pop()
  if (name === undefined) return []
  const isExport = entry.is_downloadable === false
  const item: RemoteItem = {
    id,
    folders: names,
    name: isExport ? name.replace(/\.paper$/, '.md') : name,
    version: text(entry.content_hash) ?? text(entry.rev),
    ...(isExport && { handle: 'export' }),
  }
  const isLarge = (number(entry.size) ?? 0) > FILE_BYTES_MAX
  return [isLarge ? { ...item, skip: 'It is larger than 100 MB' } : item]
}
