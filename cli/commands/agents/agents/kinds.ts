import { z } from 'zod'
import { agents } from '../../../../contract/agents/agents.ts'
import { guardrails } from '../../../../contract/agents/guardrails.ts'
import { schedules } from '../../../../contract/agents/schedules.ts'
import { Id, text } from '../../../../contract/fields.ts'
import { skills } from '../../../../contract/knowledge/skills.ts'

/** In the order they are applied: agents refer to skills and guardrails. */
export const SECTIONS = {
  skills: 'skill',
  guardrails: 'guardrail',
  agents: 'agent',
  schedules: 'schedule',
} as const

export type Section = keyof typeof SECTIONS
export type Kind = (typeof SECTIONS)[Section]
export const KINDS = Object.values(SECTIONS)

/** A name or an id. */
const Reference = text(1, 200)
const References = z.array(Reference).max(50, 'must be at most 50').optional()
const id = Id.optional()
const { name: guardrailName, ...guardrailFields } = guardrails.update.body.shape
const { name: scheduleName, agentId: _, blockId, ...scheduleFields } = schedules.update.body.shape

/** API fields with names instead of ids. Omitted fields don't change. */
export const SCHEMAS: Record<Kind, z.ZodType<{ id?: string | undefined; name: string }>> = {
  skill: z.strictObject({
    id,
    ...skills.update.body.shape,
    name: skills.create.body.shape.name,
    files: skills.create.body.shape.files.unwrap().optional(),
  }),
  guardrail: z.strictObject({
    id,
    name: guardrailName.unwrap(),
    kind: z.enum(['regex', 'pii', 'topic', 'model'], 'must be one of regex, pii, topic, model').optional(),
    ...guardrailFields,
  }),
  agent: z.strictObject({
    id,
    ...agents.update.body.shape,
    name: agents.create.body.shape.name,
    skills: References,
    guardrails: References,
    mcpServers: References,
  }),
  schedule: z.strictObject({
    id,
    name: scheduleName.unwrap(),
    project: Reference,
    agent: Reference.optional(),
    block: blockId,
    ...scheduleFields,
  }),
}
