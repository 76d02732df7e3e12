import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, TimestampInput, text } from '../fields.ts'
import { E164, RuleAction, RuleMatch } from './telephony-fields.ts'
import { RULE_CHANNELS, RULE_MISS_NAMES, TELEPHONY_LIMITS } from './telephony-options.ts'
import { RoutingRule } from './telephony-records.ts'

export const ROUTING_AREA = 'Changing telephony routing'

const name = displayName(1, TELEPHONY_LIMITS.ruleName)
const priority = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(1_000_000, 'must be at most 1,000,000')
  .describe('Rules are tried from the lowest priority to the highest')
const writes = steppedUp(ROUTING_AREA, { role: 'admin' })
const query = z.object({ id: Id.optional() })
const ID_IN_BODY_OR_QUERY = 'The `id` can be in the body or the query.'

export const routing = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/routing',
    summary: 'List routing rules',
    description: 'In the order they are tried. `default` answers if no rule does.',
    access: member(),
    output: z.object({ items: z.array(RoutingRule), default: RuleAction }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/routing',
    summary: 'Create a routing rule',
    description: 'Agents that it starts have your permissions.',
    access: writes,
    body: z.object({
      name,
      priority: priority.optional().describe('Defaults to after all other rules'),
      enabled: z.boolean().default(true),
      match: RuleMatch,
      action: RuleAction,
      fallback: RuleAction.optional().describe('Defaults to saying a sentence and ending the call'),
    }),
    output: RoutingRule,
    status: 201,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/telephony/routing',
    summary: 'Update a routing rule',
    description: `${ID_IN_BODY_OR_QUERY} Agents that it starts have your permissions from now on, unless only its name or priority changes or it is disabled.`,
    access: writes,
    query,
    body: z
      .object({
        id: Id,
        name,
        priority,
        enabled: z.boolean(),
        match: RuleMatch,
        action: RuleAction,
        fallback: RuleAction,
      })
      .partial()
      .meta({ examples: [{ id: '0199a0b0-0000-7000-8000-000000000001', enabled: false }] }),
    output: RoutingRule,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/telephony/routing',
    summary: 'Delete a routing rule',
    description: ID_IN_BODY_OR_QUERY,
    access: writes,
    query,
    body: z.object({ id: Id.optional() }).optional(),
    output: z.object({ deleted: z.literal(true) }),
  }),
  try: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/routing/try',
    summary: 'Try the routing rules',
    description: 'Returns which rule would answer, and why each other rule would not.',
    access: member(),
    query: z.object({
      from: E164,
      to: E164.describe('An organization number'),
      at: TimestampInput.optional().describe('Default: now'),
      channel: z.enum(RULE_CHANNELS).exclude(['both']).default('voice'),
      text: text(0, TELEPHONY_LIMITS.smsBody).optional(),
    }),
    output: z.object({
      rule: RoutingRule.nullable().describe('Null if the default answers'),
      action: RuleAction,
      usesFallback: z.boolean(),
      because: z.string(),
      checked: z.array(
        z.object({
          ruleId: Id,
          name: z.string(),
          answers: z.boolean(),
          miss: z.enum(RULE_MISS_NAMES).nullable(),
          explanation: z.string(),
        }),
      ),
    }),
    tool: 'read',
  }),
}
