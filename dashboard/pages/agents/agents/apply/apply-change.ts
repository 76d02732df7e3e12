import { ifMatchVersion } from '../../../../api/agents.ts'
import { skillApi } from '../../../../api/skills.ts'
import type { RequestedChange } from './changes-from-link.ts'

type NewSkill = Parameters<typeof skillApi.skills.create>[0]
type NewGuardrail = Parameters<typeof skillApi.guardrails.create>[0]

/**
 * Applies one change in the session of the person; the server checks its fields. The body comes from a link: it cannot
 * replace the id or the name that the page shows.
 */
export function applyChange({ kind, id, version, name, body }: RequestedChange): Promise<unknown> {
  const match = version === null ? {} : ifMatchVersion(version)
  if (kind === 'skill')
    return id
      ? skillApi.skills.update({ ...body, id }, match)
      : skillApi.skills.create({ ...body, name } as unknown as NewSkill)
  return id
    ? skillApi.guardrails.update({ ...body, id }, match)
    : skillApi.guardrails.create({ ...body, name } as unknown as NewGuardrail)
}
