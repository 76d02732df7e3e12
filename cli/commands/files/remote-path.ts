import { Failure } from '../../failure.ts'

/** The start of a path, and the names from there. */
export interface RemotePath {
  /** Null is the root of the organization. */
  id: string | null
  names: string[]
}

const ID = /^(?:id:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/i

/**
 * Parses `/Reports/q1.pdf`, or an id that names may follow. Names are literal, `..` too: a file can have that name. A
 * file whose name contains a slash is reachable by its id only.
 */
export function parsePath(text: string): RemotePath {
  const id = ID.exec(text)?.[1]
  if (!id && text.startsWith('id:'))
    throw new Failure('usage', `${text} is not an id`, 'Example: id:0199c0de-0000-7000-8000-000000000000')
  const rest = id ? text.slice(ID.exec(text)![0].length) : text
  return { id: id?.toLowerCase() ?? null, names: rest.split('/').filter((name) => name !== '') }
}

/** Whether the text is a remote path: it starts with a slash or an id. */
export const isExplicit = (text: string): boolean => text.startsWith('/') || ID.test(text)

export const isRoot = ({ id, names }: RemotePath): boolean => id === null && names.length === 0

export function formatPath({ id, names }: RemotePath): string {
  return id ? [`id:${id}`, ...names].join('/') : `/${names.join('/')}`
}

export const join = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`
