import { useQuery } from '@tanstack/react-query'
import { labelOf } from '../../../../api/explain.ts'
import { guardrailsQuery } from '../../../../api/guardrails.ts'
import { skillQuery } from '../../../../api/skills.ts'
import { Diff } from '../../../../components/diff/diff.tsx'
import { Name } from '../../../../components/name.tsx'
import { Status } from '../../../../components/status.tsx'
import type { RequestedChange } from './changes-from-link.ts'

const KINDS = { skill: 'Skill', guardrail: 'Guardrail' }

/** Everything that one change sets, beside the current values. */
export function ChangeSection({ change, isApplied }: { change: RequestedChange; isApplied: boolean }) {
  const { kind, id, body } = change
  const current = useCurrentRecord(change)
  // The id in the link could belong to another record, so the name of that record is shown.
  const name = typeof current.name === 'string' ? current.name : change.name
  return (
    <section
      aria-label={name}
      className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 md:px-24"
    >
      <h2 className="flex flex-wrap items-center gap-8">
        <span className="text-13 text-neutral-11">{KINDS[kind]}</span>
        <span className="wrap-anywhere font-medium">
          <Name>{name}</Name>
        </span>
        <Status meaning={isApplied ? 'good' : 'info'}>{isApplied ? 'Saved' : id ? 'Change' : 'New'}</Status>
      </h2>
      {Object.entries(body).map(([field, value]) =>
        field === 'files' ? (
          <Files key={field} files={value as ChangedFile[]} />
        ) : (
          <Field key={field} label={labelOf(field)} before={textOf(current[field])} after={textOf(value)} />
        ),
      )}
    </section>
  )
}

/** The current skill or guardrail; empty for a new one. */
function useCurrentRecord({ kind, id }: RequestedChange): Record<string, unknown> {
  const skill = useQuery({ ...skillQuery(id ?? ''), enabled: kind === 'skill' && id !== null })
  const guardrails = useQuery({ ...guardrailsQuery, enabled: kind === 'guardrail' && id !== null })
  const found = kind === 'skill' ? skill.data : guardrails.data?.items.find((each) => each.id === id)
  return { ...found }
}

interface ChangedFile {
  path: string
  text?: string
  remove?: true
}

const Files = ({ files }: { files: readonly ChangedFile[] }) =>
  files.map(({ path, text, remove }) => (
    <Field
      key={path}
      label={path}
      before={remove ? 'This file is removed' : ''}
      after={remove ? '' : (text ?? 'This file is not text. Agents cannot read it.')}
    />
  ))

function Field({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <h3 className="wrap-anywhere text-12 text-neutral-11">{label}</h3>
      <Diff before={before} after={after} />
    </div>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
