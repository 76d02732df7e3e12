import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Base64, cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp, text } from '../fields.ts'
import { SETTING_NAMES, type SettingName, settingFields, Tools, WEB_DEFAULT, Web } from './agent-fields.ts'
import { AGENT_CHANGES, AGENT_LIMITS, AGENT_TOOL_DEFAULTS } from './agent-options.ts'
import { AGENT_TEMPLATE_NAMES } from './agent-templates.ts'

/** Step-up area: settings that let an agent do more without asking. */
export const AGENT_AREA = 'Loosening an agent’s rules'
/** A 32,000-character prompt takes up to 128 KB. */
const BODY_BYTES_MAX = 262_144
/** The image in base64, and the rest of the JSON. */
const IMAGE_BODY_BYTES_MAX = 393_216

const Settings = z.object(settingFields)
export type AgentSettings = z.output<typeof Settings>

export const Agent = z.object({
  id: Id,
  ...settingFields,
  imageUrl: z
    .string()
    .nullable()
    .describe('Path of its image on this server; changes with the image. Null if it has none')
    .meta({ examples: ['/api/v1/agents/0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111/image?v=4b1d0c52a9f07e63'] }),
  warnings: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .describe('Settings that refer to something this server does not currently have, such as a model'),
  version: z.int().describe('Increases with every change. A run keeps the version it started with'),
  createdBy: Id.nullable().describe('Null for the agent that every new organization starts with'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  archivedAt: Timestamp.nullable(),
  canEdit: z.boolean().describe('Whether you can change it; its creator, admins and owners can'),
})

const AgentVersion = z.object({
  version: z.int(),
  change: z.enum(AGENT_CHANGES),
  restoredFrom: z.int().nullable().describe('Version whose settings were restored'),
  by: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
  changes: z
    .array(
      z.object({
        field: z.enum(SETTING_NAMES as [SettingName, ...SettingName[]]),
        before: z.unknown(),
        after: z.unknown(),
      }),
    )
    .describe('Settings that differ from the previous version; empty for the first version'),
})

const runCounts = {
  succeeded: z.int(),
  failed: z.int(),
  canceled: z.int(),
  active: z.int().describe('Queued, running or waiting'),
}

const AgentActivity = z.object({
  agentId: Id,
  lastRunAt: Timestamp.describe('When its newest run was created'),
  days: z
    .array(z.object({ day: z.iso.date().meta({ examples: ['2026-11-18'] }), ...runCounts }))
    .describe('Runs by the UTC day on which they were created, oldest first, without days that have none'),
})

const AgentTemplate = z.object({
  id: z.enum(AGENT_TEMPLATE_NAMES).meta({ examples: ['researcher'] }),
  settings: z
    .object(settingFields)
    .describe('Pass them to `POST /agents`. Connectors in it may not be connected yet'),
  examples: z.array(z.string()).describe('Messages to start with'),
})

const AgentFace = z.object({
  agentId: Id,
  emoji: settingFields.emoji,
  imageUrl: Agent.shape.imageUrl,
})

const { prompt, tools: _tools, name, ...optionalFields } = settingFields
const { maxSteps, maxMinutes, ...otherFields } = optionalFields

const newSettings = {
  name,
  description: otherFields.description.default(null),
  emoji: otherFields.emoji.default(null),
  model: otherFields.model.default(null),
  fallbackModels: otherFields.fallbackModels.default([]),
  prompt: prompt.default(''),
  tools: Tools.partial()
    .transform((tools) => ({ ...AGENT_TOOL_DEFAULTS, ...tools }))
    .default(AGENT_TOOL_DEFAULTS)
    .describe('Omitted tools keep their default'),
  web: Web.partial()
    .transform((web) => ({ ...WEB_DEFAULT, ...web }))
    .default(WEB_DEFAULT),
  allowedConnectors: otherFields.allowedConnectors.default([]),
  mcpServers: otherFields.mcpServers.default([]),
  skills: otherFields.skills.default([]),
  guardrails: otherFields.guardrails.default([]),
  knowledge: otherFields.knowledge.default([]),
  approvals: otherFields.approvals.default({}),
  maxSteps: maxSteps.default(AGENT_LIMITS.maxSteps.default),
  maxMinutes: maxMinutes.default(AGENT_LIMITS.maxMinutes.default),
  budget: otherFields.budget.default(null),
  reasoning: otherFields.reasoning.default('off'),
  outputSchema: otherFields.outputSchema.default(null),
}

const params = z.object({ id: Id })
const LOOSENING =
  'Adding an `allow` rule, removing an `ask` or `deny` rule, and raising or removing a budget require a stepped-up browser session.'
const writes = member({ edits: true, scope: 'agents:write' })
const EDITORS =
  'Only an agent’s creator, admins and owners can change it; only admins and owners can change the agent that every new organization starts with.'
/** Every change stores a whole version. */
const limit = { name: 'agents', by: 'caller', capacity: 120, perSeconds: 60 } as const

export const agents = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'List agents',
    description: 'The organization’s agents. `q` matches part of the name or description, ignoring case.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      q: text(1, 200).optional(),
      sort: z.enum(['newest', 'name'], { error: 'must be newest or name' }).default('newest'),
      archived: queryFlag().describe('Returns archived agents only'),
    }),
    output: cursorPage(Agent),
    tool: 'read',
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/v1/agents/activity',
    summary: 'Get agents’ recent runs',
    description:
      'How many runs each agent had in the last 14 days, today included, by outcome. Covers the whole organization and omits agents without a run. `agentId` returns one agent, archived or not; otherwise archived agents are omitted.',
    access: member(),
    query: z.object({ agentId: Id.optional() }),
    output: z.object({
      from: z.iso.date().meta({ examples: ['2026-11-18'] }),
      to: z.iso.date().meta({ examples: ['2026-11-18'] }),
      items: z.array(AgentActivity),
    }),
    standby: true,
  }),
  templates: endpoint({
    method: 'GET',
    path: '/api/v1/agents/templates',
    summary: 'List agent templates',
    description: 'Starting points for agents: settings to create one with, and messages to try.',
    access: member(),
    output: z.object({ items: z.array(AgentTemplate) }),
    tool: 'read',
  }),
  faces: endpoint({
    method: 'GET',
    path: '/api/v1/agents/faces',
    summary: 'List agents’ faces',
    description: 'All agents that have an emoji or an image, archived ones included.',
    access: member(),
    output: z.object({ items: z.array(AgentFace) }),
    standby: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/agents',
    summary: 'Create an agent',
    description: `Only \`name\` is required. ${LOOSENING}`,
    access: writes,
    body: z.object(newSettings),
    bodyBytesMax: BODY_BYTES_MAX,
    output: Agent,
    status: 201,
    idempotent: true,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/agents/:id',
    summary: 'Get an agent',
    access: member(),
    params,
    output: Agent,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/agents/:id',
    summary: 'Update an agent',
    description: `Omitted settings stay unchanged; in \`tools\` this applies to each tool. Other lists and objects are replaced. An update that changes nothing creates no version. Runs in progress keep their version. Returns CONFLICT if the agent is archived. ${EDITORS} ${LOOSENING}`,
    access: writes,
    params,
    body: z
      .object({ ...settingFields, tools: Tools.partial() })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ description: 'Finds and compares sources' }] }),
    bodyBytesMax: BODY_BYTES_MAX,
    output: Agent,
    versioned: true,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/agents/:id',
    summary: 'Archive an agent',
    description: `An archived agent starts no runs and is not listed; its sessions, runs and versions are kept. \`unarchive\` reverts this. ${EDITORS}`,
    access: writes,
    params,
    output: Agent,
    versioned: true,
    limit,
  }),
  unarchive: endpoint({
    method: 'POST',
    path: '/api/v1/agents/:id/unarchive',
    summary: 'Unarchive an agent',
    description: EDITORS,
    access: writes,
    params,
    output: Agent,
    limit,
  }),
  image: endpoint({
    method: 'GET',
    path: '/api/v1/agents/:id/image',
    summary: 'Get an agent’s image',
    description: 'PNG, JPEG or WebP. Returns NOT_FOUND if the agent has none.',
    access: member(),
    params,
    query: z.object({ v: text(1, 32).optional().describe('As in `imageUrl`. Lets browsers keep the image') }),
    output: z.null(),
    bytes: 'always',
  }),
  setImage: endpoint({
    method: 'PUT',
    path: '/api/v1/agents/:id/image',
    summary: 'Set an agent’s image',
    description: `Replaces the emoji wherever the agent appears. Images aren’t versioned: restoring a version keeps the current image. ${EDITORS}`,
    access: writes,
    params,
    body: z.object({
      image: Base64.min(1, 'must not be empty')
        .max(
          Math.ceil(AGENT_LIMITS.imageBytes / 3) * 4,
          `must be at most ${AGENT_LIMITS.imageBytes / 1024} KB`,
        )
        .describe(
          `A PNG, JPEG or WebP image in base64: at most ${AGENT_LIMITS.imageBytes / 1024} KB, and ${AGENT_LIMITS.imagePixels} pixels wide and high`,
        )
        .meta({
          examples: [
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
          ],
        }),
    }),
    bodyBytesMax: IMAGE_BODY_BYTES_MAX,
    output: Agent,
    limit,
  }),
  removeImage: endpoint({
    method: 'DELETE',
    path: '/api/v1/agents/:id/image',
    summary: 'Remove an agent’s image',
    description: EDITORS,
    access: writes,
    params,
    output: Agent,
    limit,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/v1/agents/:id/versions',
    summary: 'List agent versions',
    description: 'Who changed which settings, newest first.',
    access: member(),
    params,
    query: z.object({ ...cursorQuery, limit: queryInteger(1, 50, 20) }),
    output: cursorPage(AgentVersion),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/v1/agents/:id/versions/:version/restore',
    summary: 'Restore an agent version',
    description: `Creates a new version with an earlier version’s settings. Returns CONFLICT if the agent is archived. ${EDITORS} ${LOOSENING}`,
    access: writes,
    params: params.extend({
      version: z.coerce.number().int().min(1).max(2_147_483_647),
    }),
    output: Agent,
    versioned: true,
    limit,
  }),
}
