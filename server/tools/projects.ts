import { z } from 'zod'
import {
  PROJECT_STATUSES,
  PROJECT_VISIBILITIES,
  type Project,
  projects,
} from '../../contract/projects/projects.ts'
import { isolateName, textWithNames } from '../../contract/text-with-names.ts'
import { badRequest, forbidden } from '../errors.ts'
import { callEndpoint } from './call-endpoint.ts'
import { clip } from './clip.ts'
import { isTrusted, projectInput, requireTrust, resolveProject } from './project-ref.ts'
import type { Tool, ToolCall } from './tool.ts'

const LIMIT = 50
const TEXT_BYTES = 12_000

const listInput = z.strictObject({
  query: z.string().min(1).max(255).optional().describe('Part of the name or description'),
  status: z.enum(PROJECT_STATUSES).optional(),
  cursor: z.string().max(1000).optional(),
})

export const listProjects: Tool<z.output<typeof listInput>> = {
  name: 'list_projects',
  description:
    'List the projects that you can see, newest first. Use it to find a project other than this run’s.',
  input: listInput,
  effect: 'read',
  risk: 'none',
  async run(call, { query: search, ...query }) {
    requireTrust(call)
    const { items, nextCursor } = await callEndpoint(call, projects.list, {
      query: { ...query, search, limit: LIMIT },
    })
    return { items: items.map(describeProject), ...(nextCursor && { nextCursor }) }
  },
}

const getInput = z.strictObject({ project: projectInput })

export const getProject: Tool<z.output<typeof getInput>> = {
  name: 'get_project',
  description: 'Get a project: description, prompt, status, tags, workspaces and cost.',
  input: getInput,
  effect: 'read',
  risk: 'none',
  async run(call, { project: ref }) {
    const found = await resolveProject(call, ref)
    const project =
      'sharedWorkspaces' in found
        ? found
        : await callEndpoint(call, projects.get, { params: { id: found.id } })
    const { prompt, metadata, visibility, canEdit, spend, folderId, sharedWorkspaces } = project
    const extra = JSON.stringify(metadata)
    return {
      ...describeProject(project),
      visibility,
      canEdit,
      folderId,
      spend: `${spend.amount} ${spend.currency}`,
      ...(prompt && { prompt: clip(prompt, TEXT_BYTES).text }),
      ...(sharedWorkspaces.length > 0 && { sharedWorkspaces }),
      ...(extra !== '{}' && { metadata: extra.length > TEXT_BYTES ? 'too large to show here' : metadata }),
    }
  },
}

const fields = {
  description: z.string().nullable().optional(),
  prompt: z.string().nullable().optional().describe('Instructions for all agents in the project'),
  emoji: z.string().nullable().optional(),
  visibility: z.enum(PROJECT_VISIBILITIES).optional(),
}

const updateInput = z.strictObject({
  project: projectInput,
  name: z.string().optional(),
  ...fields,
  status: z.enum(PROJECT_STATUSES).optional(),
  tags: z.array(z.string()).max(30).optional().describe('Replaces all tags'),
})
type UpdateInput = z.output<typeof updateInput>

export const updateProject: Tool<UpdateInput> = {
  name: 'update_project',
  description: 'Change a project’s name, description, prompt, status, tags or visibility.',
  input: updateInput,
  effect: 'transaction',
  // Other members then see its contents.
  risk: ({ visibility }) => (visibility === 'team' ? 'share' : 'none'),
  summarize: ({ project, ...change }) =>
    `Change ${Object.keys(change).join(', ')} in ${isolateName(project ?? 'this project')}${change.visibility ? ` (visible to: ${change.visibility})` : ''}`,
  async run(call, { project: ref, ...change }) {
    if (Object.values(change).every((value) => value === undefined))
      throw badRequest('There is nothing to change: give at least one field')
    if (change.prompt !== undefined || change.name !== undefined) requireTrustForPrompt(call)
    const { id } = await resolveProject(call, ref)
    return describeProject(await callEndpoint(call, projects.update, { params: { id }, body: change }))
  },
}

const createInput = z.strictObject({ name: z.string().min(1).max(255), ...fields })

export const createProject: Tool<z.output<typeof createInput>> = {
  name: 'create_project',
  description:
    'Create a project with its own canvas and folder. Use it only if a person asks for a new project.',
  input: createInput,
  effect: 'transaction',
  risk: 'none',
  summarize: ({ name }) => textWithNames`Create the project ${name}`,
  async run(call, body) {
    requireTrust(call)
    return describeProject(await callEndpoint(call, projects.create, { body }))
  },
}

/** Every later run's system prompt contains them. */
function requireTrustForPrompt(call: ToolCall): void {
  if (isTrusted(call)) return
  throw forbidden('This run has read untrusted content, so it cannot change a project’s prompt or name', {
    reason: 'untrusted_run',
  })
}

export const describeProject = ({ id, name, slug, description, status, tags }: z.output<typeof Project>) => ({
  id,
  name,
  slug,
  status,
  ...(description && { description: clip(description, 2000).text }),
  ...(tags.length > 0 && { tags }),
})
