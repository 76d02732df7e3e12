import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { fieldLabel, shortMessage } from '../../../../api/explain.ts'
import { changedTextQuery, type RunChange } from '../../../../api/runs.ts'
import { Diff } from '../../../../components/diff/diff.tsx'
import { Name } from '../../../../components/name.tsx'
import { KINDS } from '../../../../components/runs/undo-dialog.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../../components/status.tsx'
import { changedFields, groupFields } from './changed-fields.ts'

const ACTIONS: Record<RunChange['action'], { label: string; meaning: Meaning }> = {
  created: { label: t`Created`, meaning: 'good' },
  updated: { label: t`Changed`, meaning: 'info' },
  deleted: { label: t`Deleted`, meaning: 'bad' },
}

export function ChangeRow({ runId, change }: { runId: string; change: RunChange }) {
  const [isOpen, setOpen] = useState(false)
  const { kind, name, action } = change
  const { label, icon: Icon } = KINDS[kind]
  return (
    <li className="border-neutral-6 border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        data-row-link={change.id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-row w-full items-center gap-8 px-16 py-8 text-left text-13 -outline-offset-2 hover:bg-hover focus-visible:bg-hover md:px-24"
      >
        <ChevronRight
          aria-hidden
          className={`icon text-neutral-11 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <Icon aria-hidden className="icon text-neutral-11" />
        <span className="min-w-0 flex-1 truncate">
          {name ? <Name>{name}</Name> : <span className="text-neutral-11">{label} (untitled)</span>}
        </span>
        <span className="shrink-0 text-12 text-neutral-11 max-sm:hidden">{label}</span>
        <span className="w-status shrink-0">
          <Status meaning={ACTIONS[action].meaning}>{ACTIONS[action].label}</Status>
        </span>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-12 px-16 pt-4 pb-16 md:pr-24 md:pl-48">
          {change.isText && <FileTextDiff runId={runId} change={change} />}
          <Fields change={change} />
          {kind === 'file' && action !== 'deleted' && (
            <Link to="/files" search={{ file: change.id }} className="self-start text-13 underline">
              Open file
            </Link>
          )}
          {kind === 'memory' && (
            <Link to="/memory" className="self-start text-13 underline">
              Open memory
            </Link>
          )}
        </div>
      )}
    </li>
  )
}

function Fields({ change }: { change: RunChange }) {
  const { short, long } = groupFields(changedFields(change), fieldLabel)
  return (
    <>
      {long.map(({ field, before, after }) => (
        <div key={field} className="flex min-w-0 flex-col gap-4">
          <h3 className="text-12 text-neutral-11">{fieldLabel(field)}</h3>
          <Diff before={before} after={after} />
        </div>
      ))}
      {short.before + short.after !== '' && <Diff {...short} />}
    </>
  )
}

function FileTextDiff({ runId, change }: { runId: string; change: RunChange }) {
  const before = useQuery({
    ...changedTextQuery(runId, change.id, 'before'),
    enabled: change.before !== null,
  })
  const after = useQuery({ ...changedTextQuery(runId, change.id, 'after'), enabled: change.after !== null })
  const error = [before.error, after.error].find((each) => each && !isGone(each))
  if (error) return <p className="text-13 text-neutral-11">Can’t show the text: {shortMessage(error)}</p>
  if (before.isLoading || after.isLoading) return <SkeletonRows rows={2} />
  const isCut = [before.data, after.data].some((text) => text && text.nextOffset !== null)
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-12 text-neutral-11">Text</h3>
      <Diff before={before.data?.text ?? ''} after={after.data?.text ?? ''} />
      {isCut && <p className="text-12 text-neutral-11">Only the first 64 KB are compared.</p>}
      {[before.error, after.error].some(Boolean) && (
        <p className="text-12 text-neutral-11">One version is no longer stored.</p>
      )}
    </div>
  )
}

const isGone = (error: Error) => error instanceof ApiFailure && error.code === 'NOT_FOUND'
