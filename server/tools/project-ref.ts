import { z } from 'zod'
import type { OutputOf } from '../../contract/endpoint.ts'
import { ProjectRef, projects } from '../../contract/projects/projects.ts'
import { ApiError, badRequest, forbidden, raise } from '../errors.ts'
import { callEndpoint, findByEndpoint } from './call-endpoint.ts'
import type { ToolCall } from './tool.ts'

export const projectInput = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('Id, slug or exact name; default: this run’s project')

export interface FoundProject {
  id: string
  name: string
  slug: string
  folderId: string | null
}

const CANDIDATES_MAX = 10

/** Defaults to the call's own project, the only one an untrusted run reaches. */
export async function resolveProject(
  call: ToolCall,
  ref: string | undefined,
): Promise<FoundProject | OutputOf<typeof projects.get>> {
  const project = await findProject(call, ref ?? call.projectId ?? raise(unnamedProject()))
  if (project.id !== call.projectId) requireTrust(call)
  return project
}

/** Untrusted content may contain instructions to make these calls. */
export function requireTrust(call: Pick<ToolCall, 'trust'>): void {
  if (isTrusted(call)) return
  throw forbidden('This run has read untrusted content, so it can only use its own project', {
    reason: 'untrusted_run',
  })
}

export const isTrusted = ({ trust }: Pick<ToolCall, 'trust'>): boolean => trust === 'trusted'

const unnamedProject = () => badRequest('project: give a project’s id, slug or exact name: see list_projects')

async function findProject(call: ToolCall, ref: string) {
  const byId = ProjectRef.safeParse(ref).success
    ? await findByEndpoint(call, projects.get, { params: { id: ref } })
    : null
  if (byId) return byId
  const { items } = await callEndpoint(call, projects.list, { query: { search: ref, limit: 100 } })
  const matches = items.filter(({ name }) => name === ref)
  if (matches.length === 1) return matches[0]!
  if (matches.length > 1)
    throw badRequest(
      `Several projects are named ${ref}. Use an id: ${candidates(matches.map(({ id, slug }) => `${id} (${slug})`))}`,
    )
  const similar = items.map(({ name, id }) => `${name} (${id})`)
  const hint = similar.length > 0 ? `. Similar: ${candidates(similar)}` : ': see list_projects'
  throw new ApiError('NOT_FOUND', `There is no project ${ref} that you can see${hint}`)
}

export const candidates = (list: string[]): string =>
  list.slice(0, CANDIDATES_MAX).join(', ') +
  (list.length > CANDIDATES_MAX ? ` and ${list.length - CANDIDATES_MAX} more` : '')
