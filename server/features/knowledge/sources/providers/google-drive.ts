import { dictionary } from '../../../../../contract/dictionary.ts'
import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { SOURCE_SETTINGS } from '../../../../../contract/knowledge/sources.ts'
import { type Json, provider, type RemoteItem } from './provider.ts'
import { list, record, required, text } from './read.ts'
import type { Remote } from './remote.ts'
import { SourceFailure } from './source-failure.ts'

const FOLDER = 'application/vnd.google-apps.folder'
const FIELDS = 'nextPageToken,files(id,name,mimeType,md5Checksum,modifiedTime,size,capabilities(canDownload))'
const ALL_DRIVES = { supportsAllDrives: true, includeItemsFromAllDrives: true } as const

const XML = 'application/vnd.openxmlformats-officedocument'
/** Google's own documents have no bytes. */
const EXPORTS: Readonly<Record<string, readonly [mimeType: string, extension: string]>> = dictionary({
  'application/vnd.google-apps.document': ['text/markdown', '.md'],
  'application/vnd.google-apps.spreadsheet': [`${XML}.spreadsheetml.sheet`, '.xlsx'],
  'application/vnd.google-apps.presentation': [`${XML}.presentationml.presentation`, '.pptx'],
})

interface Listing {
  folders: { id: string; path: string[] }[]
  pageToken: string | null
}

/** Drive reports changes of the whole drive, and no paths: they only tell whether to list the folder. */
export const googleDrive = provider<'google_drive'>({
  settings: SOURCE_SETTINGS.google_drive,
  nameOf: () => 'Google Drive',

  async begin(remote, { folderId }, cursor) {
    const folder = await remote.get({
      path: `/drive/v3/files/${folderId}`,
      query: { fields: 'id,mimeType,trashed,driveId', supportsAllDrives: true },
    })
    if (folder.trashed === true || folder.mimeType !== FOLDER)
      throw new SourceFailure('not_found', 'The folder was deleted, or it is no folder')
    const driveId = text(folder.driveId) ?? undefined
    if (typeof cursor === 'string' && !(await hasChanges(remote, cursor, driveId))) return null
    const { startPageToken } = await remote.get({
      path: '/drive/v3/changes/startPageToken',
      query: { supportsAllDrives: true, driveId },
    })
    return {
      cursor: text(startPageToken),
      listing: { folders: [{ id: folderId, path: [] }], pageToken: null },
    }
  },

  async list(remote, _settings, listing) {
    const { folders, pageToken } = listing as unknown as Listing
    const [folder, ...rest] = folders
    if (!folder) return { items: [], next: null }
    const answer = await remote.get({
      path: '/drive/v3/files',
      query: {
        ...ALL_DRIVES,
        q: `'${folder.id}' in parents and trashed = false`,
        fields: FIELDS,
        pageSize: 1000,
        pageToken: pageToken ?? undefined,
      },
    })
    const files = required(answer.files).map(record)
    const below = files.flatMap(({ id, name, mimeType }) =>
      mimeType === FOLDER && /^[\w-]+$/.test(text(id) ?? '')
        ? [{ id: id as string, path: [...folder.path, text(name) ?? 'Untitled'] }]
        : [],
    )
    const following = text(answer.nextPageToken)
    const queue = following ? [folder, ...rest, ...below] : [...rest, ...below]
    const next: Listing = { folders: queue, pageToken: following }
    return {
      items: files.flatMap((file) => itemOf(file, folder.path)),
      next: queue.length === 0 ? null : (next as unknown as Json),
    }
  },

  async download(remote, _settings, item, _known, store) {
    const exported = EXPORTS[item.handle ?? '']
    const path = `/drive/v3/files/${encodeURIComponent(item.id)}`
    const result = await remote.download(
      exported
        ? { path: `${path}/export`, query: { mimeType: exported[0] } }
        : { path, query: { alt: 'media', supportsAllDrives: true } },
      ({ content }) => store({ mimeType: exported?.[0] ?? '', content }),
    )
    if (result.kind === 'refused') return { kind: 'skipped', reason: result.reason }
    return result.kind === 'gone'
      ? { kind: 'gone' }
      : { kind: 'stored', stored: result.value, version: item.version }
  },
})

/** A position that Drive no longer knows counts as a change. */
async function hasChanges(remote: Remote, pageToken: string, driveId: string | undefined): Promise<boolean> {
  try {
    const answer = await remote.get({
      path: '/drive/v3/changes',
      query: {
        ...ALL_DRIVES,
        pageToken,
        driveId,
        pageSize: 1,
        includeRemoved: true,
        fields: 'nextPageToken,newStartPageToken,changes(fileId)',
      },
    })
    return list(answer.changes).length > 0 || text(answer.nextPageToken) !== null
  } catch (error) {
    if (error instanceof SourceFailure && error.means !== 'try_again') return true
    throw error
  }
}

function itemOf(file: Record<string, unknown>, folders: string[]): RemoteItem[] {
  const [id, mimeType] = [text(file.id), text(file.mimeType)]
  if (!id || !mimeType || mimeType === FOLDER) return []
  const exported = EXPORTS[mimeType]
  const name = text(file.name) ?? 'Untitled'
  const item: RemoteItem = {
    id,
    folders,
    name: exported && !name.endsWith(exported[1]) ? name + exported[1] : name,
    version: text(file.md5Checksum) ?? text(file.modifiedTime),
    handle: mimeType,
  }
  const skip = skipReason(file, mimeType)
  return [skip === null ? item : { ...item, skip }]
}

function skipReason(file: Record<string, unknown>, mimeType: string): string | null {
  if (mimeType.startsWith('application/vnd.google-apps.') && !EXPORTS[mimeType])
    return 'Google has no file format for it'
  if (record(file.capabilities).canDownload === false) return 'Its owner doesn’t allow downloads'
  return Number(file.size ?? 0) > FILE_BYTES_MAX ? 'It is larger than 100 MB' : null
}
