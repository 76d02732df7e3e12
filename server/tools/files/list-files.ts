import { z } from 'zod'
import { files } from '../../../contract/files/files.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { type FoundFile, findFolder } from './file-refs.ts'

const LIMIT = 50
const PARTS_MAX = 5

const input = z.strictObject({
  project: projectInput,
  folder: z.string().max(2000).optional().describe('Id or path; default: the project folder'),
  query: z.string().min(1).max(255).optional().describe('Part of a name; searches all folders below too'),
  cursor: z.string().max(2000).optional(),
})

export const listFiles: Tool<z.output<typeof input>> = {
  name: 'list_files',
  description: 'List a project’s files and folders, or find them by name. Use it to get file ids and paths.',
  input,
  effect: 'read',
  risk: 'none',
  async run(call, { project: ref, folder, query: search, cursor }) {
    const project = await resolveProject(call, ref)
    const parentId = await findFolder(call, project, folder, 'folder')
    let next: string | null | undefined = cursor
    let items: FoundFile[] = []
    // A page may contain no match.
    for (let part = 0; part < PARTS_MAX && items.length === 0 && next !== null; part++) {
      const query: { parentId: string | null; search?: string; cursor?: string; limit: number } = {
        parentId,
        search,
        cursor: next,
        limit: LIMIT,
      }
      ;({ items, nextCursor: next } = await callEndpoint(call, files.list, { query }))
    }
    return { folder: parentId, items: items.map(describeFile), ...(next && { nextCursor: next }) }
  },
}

export const describeFile = ({ id, name, source, mimeType, size, updatedAt, tags }: FoundFile) => ({
  id,
  name,
  ...(source === 'folder' ? { kind: 'folder' } : { mimeType, size }),
  ...(source === 'link' && { kind: 'link' }),
  ...(tags.length > 0 && { tags }),
  updatedAt,
})
