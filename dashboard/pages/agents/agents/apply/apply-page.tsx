import { useMutation, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { ifMatchVersion } from '../../../../api/agents.ts'
import { failureMessage, fieldLabel } from '../../../../api/explain.ts'
import { guardrailsQuery, refreshGuardrails } from '../../../../api/guardrails.ts'
import { refreshSkills, skillApi, skillQuery } from '../../../../api/skills.ts'
import { useCanEditAgents } from '../../../../api/workspaces.ts'
import { Button } from '../../../../components/button.tsx'
import { Diff } from '../../../../components/diff/diff.tsx'
import { Empty } from '../../../../components/empty.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { Name } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { Status } from '../../../../components/status.tsx'
import { Page } from '../../../../frame/page.tsx'
import { changesFromLink, type RequestedChange } from './changes-from-link.ts'

/** For `atrium agents apply`: the user reads the skill and guardrail changes here and confirms. */
export function ApplyPage() {
  const [hash] = useState(() => location.hash)
  const changes = useQuery({
    queryKey: ['agents', 'apply', hash],
    queryFn: () => changesFromLink(hash),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page title="Apply changes" breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}>
      {changes.isPending && <SkeletonRows rows={4} />}
      {changes.data === null && (
        <Empty icon={SearchX} title="This link contains no changes">
          Run npx atrium agents apply again to get a new link.
        </Empty>
      )}
      {changes.data && <Changes changes={changes.data} />}
    </Page>
  )
}

function Changes({ changes }: { changes: RequestedChange[] }) {
  const canEdit = useCanEditAgents() === true
  const [appliedCount, setAppliedCount] = useState(0)
  const apply = useMutation({
    mutationFn: async () => {
      for (const [index, change] of changes.entries()) {
        if (index < appliedCount) continue
        await applyChange(change)
        setAppliedCount(index + 1)
      }
    },
    onSettled: () => Promise.all([refreshSkills(), refreshGuardrails()]),
  })
  const isComplete = appliedCount === changes.length
  const label = changes.length === 1 ? t`Apply change` : t`Apply ${changes.length} changes`
  return (
    <>
      <div className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 md:px-24">
        <p className="max-w-reading text-13 text-neutral-11">
          A terminal requested these changes with atrium agents apply. Agents follow skills, and guardrails
          limit agents, so read the changes and apply only what you requested.
        </p>
        <FormFailure>{failureMessage(apply.error)}</FormFailure>
        <div>
          <div role="status">
            {isComplete && <p className="font-medium">Applied. The terminal continues.</p>}
          </div>
          {!isComplete && canEdit && (
            <Button look="primary" busy={apply.isPending} onClick={() => apply.mutate()}>
              {label}
            </Button>
          )}
        </div>
        {!canEdit && (
          <p className="text-13">You can’t edit in any workspace, so you can’t apply these changes.</p>
        )}
      </div>
      {changes.map((change, index) => (
        <ChangeSection
          key={`${change.kind} ${change.name}`}
          change={change}
          isApplied={index < appliedCount}
        />
      ))}
    </>
  )
}

type NewSkill = Parameters<typeof skillApi.skills.create>[0]
type NewGuardrail = Parameters<typeof skillApi.guardrails.create>[0]

/**
 * Runs in the user's session; the server checks the fields. The body comes from a link, so it can't replace the id or
 * name shown on the page.
 */
function applyChange({ kind, id, version, name, body }: RequestedChange): Promise<unknown> {
  const match = version === null ? {} : ifMatchVersion(version)
  if (kind === 'skill')
    return id
      ? skillApi.skills.update({ ...body, id }, match)
      : skillApi.skills.create({ ...body, name } as unknown as NewSkill)
  return id
    ? skillApi.guardrails.update({ ...body, id }, match)
    : skillApi.guardrails.create({ ...body, name } as unknown as NewGuardrail)
}

const KINDS = { skill: t`Skill`, guardrail: t`Guardrail` }

function ChangeSection({ change, isApplied }: { change: RequestedChange; isApplied: boolean }) {
  const { kind, id, body } = change
  const current = useCurrentRecord(change)
  // The link's id could belong to another record, so show that record's name.
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
        <Status meaning={isApplied ? 'good' : 'info'}>
          {isApplied ? t`Saved` : id ? t`Change` : t`New`}
        </Status>
      </h2>
      {Object.entries(body).map(([field, value]) =>
        field === 'files' ? (
          <Files key={field} files={value as ChangedFile[]} />
        ) : (
          <Field
            key={field}
            label={fieldLabel(field)}
            before={textOf(current[field])}
            after={textOf(value)}
          />
        ),
      )}
    </section>
  )
}

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
      before={remove ? t`This file will be removed` : ''}
      after={remove ? '' : (text ?? t`This file isn’t text. Agents can’t read it.`)}
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
