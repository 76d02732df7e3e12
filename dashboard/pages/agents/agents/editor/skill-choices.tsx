import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../../contract/text.ts'
import type { Agent } from '../../../../api/agents.ts'
import { skillChoicesQuery } from '../../../../api/skills.ts'
import { Button } from '../../../../components/button.tsx'
import { NamedChoice } from '../../../../components/forms/named-choice.tsx'
import type { FieldsProps } from './draft.ts'

export function SkillChoices({ draft, update, warnings }: FieldsProps & { warnings: Agent['warnings'] }) {
  const { data: skills } = useQuery(skillChoicesQuery)
  const toggle = (id: string, on: boolean) =>
    update({ skills: on ? [...draft.skills, id] : draft.skills.filter((other) => other !== id) })
  const hasMissing = warnings.some(({ path }) => path.startsWith('skills.'))
  const missingIds =
    hasMissing && skills ? draft.skills.filter((id) => !skills.some((skill) => skill.id === id)) : []
  return (
    <div className="flex flex-col gap-8">
      {missingIds.length > 0 && (
        <p className="flex flex-wrap items-center gap-8 text-13 text-warning-text">
          {missingIds.length === 1
            ? t`This agent uses a skill that no longer exists.`
            : t`This agent uses ${missingIds.length} skills that no longer exist.`}
          <Button
            size="small"
            onClick={() => update({ skills: draft.skills.filter((id) => !missingIds.includes(id)) })}
          >
            Remove
          </Button>
        </p>
      )}
      {skills?.length === 0 && (
        <p className="text-13 text-neutral-11">
          No skills yet.{' '}
          <Link to="/skills" className="underline hover:text-neutral-12">
            Create one
          </Link>
        </p>
      )}
      {skills?.map(({ id, name, description }) => (
        <NamedChoice
          key={id}
          name={name}
          description={description}
          checked={draft.skills.includes(id)}
          included={false}
          onToggle={(on) => toggle(id, on)}
          className="rounded-control px-8 py-4"
        />
      ))}
    </div>
  )
}
