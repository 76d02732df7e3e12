import { z } from 'zod'
import { endpoint, member, operator, steppedUp } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { QUOTA_MAX, QUOTA_NAMES, QUOTAS } from '../quotas.ts'

const AREA = 'Managing quotas'
const byId = z.object({ id: Id })

export const Quota = z.object({
  name: z.enum(QUOTA_NAMES),
  label: z.string(),
  unit: z.enum(['items', 'bytes']),
  description: z.string(),
  used: z.int().meta({ examples: [12] }),
  allowed: z.int().meta({ examples: [QUOTAS.projects.default] }),
  default: z.int().describe('Limit for organizations without their own'),
  isDefault: z.boolean().describe('False if an operator has set this organization’s limit'),
})

export const QuotaList = z.object({ items: z.array(Quota) })

const limit = z.int().min(0).max(QUOTA_MAX).nullable().optional()

export const quotas = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/org/quotas',
    summary: 'List quotas and usage',
    description:
      'The organization’s usage and limits. A call that would exceed a quota is refused with FORBIDDEN and `details: { reason: "quota_exceeded", quota, used, allowed }`; server operators can raise the limit.',
    access: member(),
    output: QuotaList,
    tool: 'read',
  }),
  listOf: endpoint({
    method: 'GET',
    path: '/api/v1/admin/organizations/:id/quotas',
    summary: 'List an organization’s quotas',
    access: operator(AREA),
    params: byId,
    output: QuotaList.extend({ organization: z.object({ id: Id, name: z.string() }) }),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/admin/organizations/:id/quotas',
    summary: 'Set an organization’s quotas',
    description:
      'A number sets this organization’s limit; null restores the default. A limit below the current usage deletes nothing, but refuses further use. Other server processes apply the change within five seconds.',
    access: steppedUp(AREA, { operator: true }),
    params: byId,
    body: z
      .object(
        Object.fromEntries(QUOTA_NAMES.map((name) => [name, limit])) as Record<
          (typeof QUOTA_NAMES)[number],
          typeof limit
        >,
      )
      .refine(
        (body) => Object.values(body).some((value) => value !== undefined),
        'must name at least one quota',
      )
      .meta({ examples: [{ projects: 500 }] }),
    output: QuotaList.extend({ organization: z.object({ id: Id, name: z.string() }) }),
  }),
}
