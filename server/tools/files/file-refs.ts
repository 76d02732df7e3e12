import type { z } from 'zod'
import { Id } from '../../../contract/fields.ts'
import { type FileDetails, type FileRecord, files } from '../../../contract/files/files.ts'
import { ApiError, badRequest, notFound, raise } from '../../errors.ts'
import { callEndpoint, findByEndpoint } from '../call-endpoint.ts'
import { candidates, type FoundProject, isTrusted, requireTrust } from '../project-ref.ts'
import type { ToolCall } from '../tool.ts'

export type FoundFile = z.output<typeof FileRecord>

const PAGES_MAX = 10

/** By id, path in the project folder, or exact name anywhere in it. */
export async function findFile(
  call: ToolCall,
  project: FoundProject,
  ref: string,
  field: string,
): Promise<FoundFile> {
  if (Id.safeParse(ref).success) return findById(call, project, ref)
  const path = segmentsOf(ref)
  if (path.length === 0) throw badRequest(`${field}: the project folder itself is not a file`)
  const root = folderOf(project)
  if (path.length === 1) {
    const sameName = await listByName(call, { projectId: project.id }, path[0]!)
    // A leading slash means the project folder. A bare name may be anywhere below.
    const matches = ref.startsWith('/') ? sameName.filter(({ parentId }) => parentId === root) : sameName
    return requireSingle(matches, ref, field)
  }
  let parentId = root
  for (const name of path.slice(0, -1))
    parentId = (await findChild(call, parentId, name, ref, field, 'folder')).id
  return findChild(call, parentId, path.at(-1)!, ref, field)
}

/** Defaults to the project's folder. */
export async function findFolder(
  call: ToolCall,
  project: FoundProject,
  ref: string | undefined,
  field: string,
): Promise<string> {
  if (ref === undefined || segmentsOf(ref).length === 0) return folderOf(project)
  const found = await findFile(call, project, ref, field)
  if (found.source !== 'folder') throw badRequest(`${field}: ${ref} is a file, not a folder`)
  return found.id
}

/** Below `trusted`, a run can't use other projects' files. */
async function findById(
  call: ToolCall,
  project: FoundProject,
  id: string,
): Promise<z.output<typeof FileDetails>> {
  const found = (await findByEndpoint(call, files.get, { params: { id } })) ?? raise(notFound(`File ${id}`))
  if (found.projectId !== project.id && !isTrusted(call)) requireTrust(call)
  return found
}

async function findChild(
  call: ToolCall,
  parentId: string,
  name: string,
  ref: string,
  field: string,
  source?: 'folder',
): Promise<FoundFile> {
  const sameName = await listByName(call, { parentId }, name, source)
  return requireSingle(
    sameName.filter((file) => file.parentId === parentId),
    ref,
    field,
  )
}

function requireSingle(found: FoundFile[], ref: string, field: string): FoundFile {
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new ApiError(
      'NOT_FOUND',
      `${field}: there is no ${ref} in the project folder. See list_files or search`,
    )
  const list = found.map(({ id, source, parentId }) => `${id} (${source} in folder ${parentId ?? '/'})`)
  throw badRequest(`${field}: several files match ${ref}. Use an id: ${candidates(list)}`)
}

async function listByName(
  call: ToolCall,
  where: { parentId: string } | { projectId: string },
  name: string,
  source?: 'folder',
): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const response: { items: FoundFile[]; nextCursor: string | null } = await callEndpoint(call, files.list, {
      query: { ...where, search: name, limit: 100, source, cursor },
    })
    found.push(...response.items.filter((file) => file.name === name))
    if (response.nextCursor === null) break
    cursor = response.nextCursor
  }
  return found
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '' && segment !== '.')

const folderOf = (project: FoundProject): string => project.folderId ?? raise(notFound('The project folder'))
