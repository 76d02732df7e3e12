import { byEach, type ListRequest, list, WORDS } from './list-request.ts'
import type { World } from './seed.ts'

/** The lists of files, their versions and their public links. */
export function fileRequests(world: World): ListRequest[] {
  const { projectId, projectFolderId, linksFolderId, smallFolderId } = world
  const { versionedId, linkedFolderId, guestToken, owner } = world
  const sorted = ['search=photo&sort=newest', 'search=zebra&sort=largest', 'tag=rare&sort=largest']
  const folders = [
    ...['', 'sort=newest', 'sort=largest', 'source=folder', 'source=link', 'source=upload', 'page=7'],
    ...[`projectId=${projectId}`, `parentId=${linksFolderId}`, `parentId=${linksFolderId}&sort=newest`],
    ...[`parentId=${projectFolderId}`, `parentId=${smallFolderId}`],
  ]
  return [
    ...byEach((by) =>
      list(
        'files.list',
        '/files',
        folders.filter((query) => by === 'owner' || query !== 'page=7'),
        { by },
      ),
    ),
    ...byEach((by) => list('files.list', '/files', [...WORDS, ...sorted, 'trashed=true'], { by })),
    ...list('files.list', '/files', [
      `search=photo&parentId=${smallFolderId}`,
      `search=photo&projectId=${projectId}`,
    ]),
    ...list('fileVersions.list', `/files/${versionedId}/versions`, ['']),
    ...list('publicLinks.list', `/files/${linkedFolderId}/public-links`, ['']),
    ...list('publicLinks.listAll', '/public-links', ['', `createdBy=${owner.id}`], { by: 'owner' }),
    ...list('publicLinks.entries', `/public-links/${guestToken}/entries`, ['', `folderId=${linkedFolderId}`]),
  ]
}
