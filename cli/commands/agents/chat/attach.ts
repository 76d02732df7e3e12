import { projects } from '../../../../contract/projects/projects.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { scanLocal } from '../../files/scan-local.ts'
import { type LocalFile, upload } from '../../files/upload.ts'
import type { Subject } from './subject.ts'

/** Nobody measures it: a message has few files. */
const METER = { advance: () => {}, restart: () => {} }

/** Uploads the files to the project’s folder, after all of them were found. Returns their ids. */
export async function attachFiles(
  connection: Connection,
  subject: Subject,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return []
  const files: LocalFile[] = []
  for (const path of paths) files.push(await findLocal(path))
  const folderId = await findFolderId(connection, subject)
  const { signal } = new AbortController()
  const ids: string[] = []
  for (const file of files) ids.push((await upload(connection, file, folderId, { signal, meter: METER })).id)
  return ids
}

async function findLocal(path: string): Promise<LocalFile> {
  const local = await scanLocal(path, false)
  if (local.kind === 'file') return local
  const reason = local.kind === 'folder' ? 'it is a folder' : local.reason
  throw new Failure('usage', `${path} cannot be attached: ${reason}`)
}

async function findFolderId({ server, client }: Connection, subject: Subject): Promise<string> {
  const id = subject.session ? subject.session.projectId : subject.project.id
  const { folderId } = await parseResponse(server, projects.get, client.projects.get({ id }))
  if (folderId === null) throw new Failure('failed', 'The project’s files are not visible to you')
  return folderId
}
