import { z } from 'zod'
import { files } from '../../../contract/files/files.ts'
import { badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { findFile, findFolder } from './file-refs.ts'

const ITEMS_MAX = 100

const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(ITEMS_MAX).default([])
const fileRef = z.string().min(1).max(2000)

const input = z.strictObject({
  project: projectInput,
  createFolders: listOf(fileRef).describe('Paths; missing folders above are created too'),
  move: listOf(
    z.strictObject({ file: fileRef, folder: z.string().max(2000).describe('"/" for the project folder') }),
  ),
  rename: listOf(z.strictObject({ file: fileRef, name: z.string().min(1).max(255) })),
  trash: listOf(fileRef),
})
type Input = z.output<typeof input>

export const organizeFiles: Tool<Input> = {
  name: 'organize_files',
  description:
    'Create folders, move, rename and trash files, in this order, all or nothing. Name files by id, path or exact name. Trashed files can be restored.',
  input,
  effect: 'transaction',
  risk: ({ trash }) => (trash.length > 0 ? 'delete' : 'none'),
  summarize,
  async run(call, { project: ref, createFolders, move, rename, trash }) {
    if ([createFolders, move, rename, trash].every((list) => list.length === 0))
      throw badRequest('There is nothing to do: give createFolders, move, rename or trash')
    const project = await resolveProject(call, ref)
    // Names refer to the state before the call, except folders the call creates.
    const renames = await inOrder(rename, async ({ file, name }, n) => ({
      id: (await findFile(call, project, file, `rename.${n}.file`)).id,
      name,
    }))
    const trashedIds = await inOrder(
      trash,
      async (file, n) => (await findFile(call, project, file, `trash.${n}`)).id,
    )
    const moves = await inOrder(move, async ({ file, folder }, n) => ({
      id: (await findFile(call, project, file, `move.${n}.file`)).id,
      folder,
    }))
    const folders = await inOrder(createFolders, (path, n) => createPath(path, n))
    await inOrder(moves, async ({ id, folder }, n) => {
      const parentId = await findFolder(call, project, folder, `move.${n}.folder`)
      await callEndpoint(call, files.update, { params: { id }, body: { parentId } })
    })
    await inOrder(renames, ({ id, name }) =>
      callEndpoint(call, files.update, { params: { id }, body: { name } }),
    )
    await inOrder(trashedIds, (id) => callEndpoint(call, files.remove, { params: { id } }))
    return {
      ...(folders.length > 0 && { folders }),
      moved: moves.length,
      renamed: renames.length,
      trashed: trashedIds.length,
    }

    async function createPath(path: string, n: number) {
      let parentId = await findFolder(call, project, undefined, `createFolders.${n}`)
      for (const name of path.split('/').filter(Boolean)) {
        const { items } = await callEndpoint(call, files.list, {
          query: { parentId, search: name, source: 'folder', limit: 100 },
        })
        const found = items.find((item) => item.name === name && item.parentId === parentId)
        parentId = found?.id ?? (await createFolder(name, parentId))
      }
      return { path, id: parentId }
    }

    async function createFolder(name: string, parentId: string): Promise<string> {
      const created = await callEndpoint(call, files.create, {
        body: { source: 'folder', name, parentId, reuse: true },
      })
      return 'file' in created ? created.file.id : created.id
    }
  },
}

/** The calls share a transaction's connection and depend on earlier ones. */
async function inOrder<T, R>(items: T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) results.push(await work(item, index))
  return results
}

function summarize({ createFolders, move, rename, trash }: Input): string {
  const actions = [
    trash.length > 0 &&
      `move to the trash: ${trash.slice(0, 5).join(', ')}${trash.length > 5 ? ` and ${trash.length - 5} more` : ''}`,
    move.length > 0 && `move ${move.length}`,
    rename.length > 0 && `rename ${rename.length}`,
    createFolders.length > 0 && `create ${createFolders.length} folders`,
  ]
  return `Organize files: ${actions.filter(Boolean).join('; ')}`
}
