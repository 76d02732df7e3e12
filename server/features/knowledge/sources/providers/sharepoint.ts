import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { type Json, provider, type RemoteItem } from './provider.ts'
import { isRecord, list, number, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'
import { SourceFailure } from './source-failure.ts'

const PAGE_SIZE = 200
const FIELDS = 'id,name,size,file,folder,package,remoteItem,cTag,eTag'

interface Listing {
  driveId: string
  folders: { id: string; path: string[] }[]
  after: string | null
}

/** The library's delta has no paths and can't be limited to a folder: it only tells whether to list the folder. */
export const sharepoint = provider<'sharepoint'>({
  settings: SOURCE_SETTINGS.sharepoint,
  nameOf: ({ url }) => decodeName(new URL(url).pathname.split('/').findLast(Boolean) ?? 'SharePoint'),

  async begin(remote, { url }, cursor) {
    const folder = await remote.get({
      path: `/shares/u!${Buffer.from(url).toString('base64url')}/driveItem`,
      query: { $select: 'id,folder,parentReference' },
    })
    const [id, driveId] = [text(folder.id), text(record(folder.parentReference).driveId)]
    if (!id || !driveId || !isRecord(folder.folder))
      throw new SourceFailure('not_found', 'The link leads to no folder')
    const drive = `/drives/${encodeURIComponent(driveId)}`
    if (typeof cursor === 'string' && !(await hasChanges(remote, drive, cursor))) return null
    const latest = await remote.get({ path: `${drive}/root/delta`, query: { token: 'latest' } })
    return {
      cursor: parameterIn(latest['@odata.deltaLink'], 'token'),
      listing: { driveId, folders: [{ id, path: [] }], after: null },
    }
  },

  async list(remote, _settings, listing) {
    const { driveId, folders, after } = listing as unknown as Listing
    const [folder, ...rest] = folders
    if (!folder) return { items: [], next: null }
    const answer = await remote.find({
      path: `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(folder.id)}/children`,
      query: { $select: FIELDS, $top: PAGE_SIZE, $skiptoken: after ?? undefined },
    })
    const children = (answer === null ? [] : required(record(answer).value)).map(record)
    const below = children.flatMap(({ id, name, folder: isFolder }) =>
      isRecord(isFolder) && text(id)
        ? [{ id: id as string, path: [...folder.path, text(name) ?? 'Untitled'] }]
        : [],
    )
    const following = parameterIn(record(answer)['@odata.nextLink'], '$skiptoken')
    const queue = following ? [folder, ...rest, ...below] : [...rest, ...below]
    const next: Listing = { driveId, folders: queue, after: following }
    return {
      items: children.flatMap((child) => itemOf(child, folder.path, driveId)),
      next: queue.length === 0 ? null : (next as unknown as Json),
    }
  },

  async download(remote, _settings, item, _known, store) {
    const drive = encodeURIComponent(item.handle ?? '')
    const result = await remote.download(
      { path: `/drives/${drive}/items/${encodeURIComponent(item.id)}/content` },
      ({ content }) => store({ mimeType: '', content }),
    )
    if (result.kind === 'refused') return { kind: 'skipped', reason: result.reason }
    return result.kind === 'gone'
      ? { kind: 'gone' }
      : { kind: 'stored', stored: result.value, version: item.version }
  },
})

/** A token that Graph no longer knows counts as a change. */
async function hasChanges(remote: Remote, drive: string, token: string): Promise<boolean> {
  try {
    const answer = await remote.find({ path: `${drive}/root/delta`, query: { token, $select: 'id' } })
    return answer === null || list(record(answer).value).length > 0 || !record(answer)['@odata.deltaLink']
  } catch (error) {
    if (error instanceof SourceFailure && error.means !== 'try_again') return true
    throw error
  }
}

function parameterIn(link: unknown, name: string): string | null {
  const url = text(link)
  if (url === null || !URL.canParse(url)) return null
  // Some links have the token in a function's parentheses.
  return new URL(url).searchParams.get(name) ?? /\(token='([^']+)'\)/.exec(url)?.[1] ?? null
}

function itemOf(child: Record<string, unknown>, folders: string[], driveId: string): RemoteItem[] {
  const [id, name] = [text(child.id), text(child.name)]
  if (!id || !name || isRecord(child.folder)) return []
  const version = text(child.cTag) ?? text(child.eTag)
  const item: RemoteItem = { id, folders, name, version, handle: driveId }
  if (isRecord(child.remoteItem)) return [{ ...item, skip: 'It is a shortcut' }]
  if (isRecord(child.package)) return [{ ...item, skip: 'Microsoft has no file format for it' }]
  if (!isRecord(child.file)) return []
  const isLarge = (number(child.size) ?? 0) > FILE_BYTES_MAX
  return [isLarge ? { ...item, skip: 'It is larger than 100 MB' } : item]
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
