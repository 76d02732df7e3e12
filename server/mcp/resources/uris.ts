import { Id } from '../../../contract/fields.ts'

const SCHEME = 'atrium://'

export const projectUri = (slug: string) => `${SCHEME}projects/${slug}`
export const fileUri = (id: string) => `${SCHEME}files/${id}`

export const TEMPLATES = [
  {
    name: 'project',
    title: 'Project',
    uriTemplate: projectUri('{slug}'),
    description: 'A project in Markdown: description, instructions, the titles on its canvas and its files',
    mimeType: 'text/markdown',
  },
  {
    name: 'canvas',
    title: 'Canvas',
    uriTemplate: `${projectUri('{slug}')}/canvas`,
    description: 'The canvas of a project as JSON Canvas 1.0',
    mimeType: 'application/json',
  },
  {
    name: 'file',
    title: 'File',
    uriTemplate: fileUri('{id}'),
    description: 'The text of a file; PDF, Word and spreadsheet files as extracted text',
  },
]

export type ResourceRef =
  | { kind: 'project'; slug: string }
  | { kind: 'canvas'; slug: string }
  | { kind: 'file'; id: string }

const SLUG = '([\\w-]{1,255})'
const PROJECT = new RegExp(`^${SCHEME}projects/${SLUG}(/canvas)?$`)
const FILE = new RegExp(`^${SCHEME}files/([0-9a-fA-F-]{36})$`)

/** The record that a URI names; null if the URI is unknown. */
export function parseUri(uri: string): ResourceRef | null {
  const project = PROJECT.exec(uri)
  if (project) return { kind: project[2] ? 'canvas' : 'project', slug: project[1]! }
  const id = FILE.exec(uri)?.[1]
  return id && Id.safeParse(id).success ? { kind: 'file', id } : null
}
