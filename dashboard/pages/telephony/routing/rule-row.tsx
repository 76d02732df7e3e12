import { Copy, CopyPlus, Ellipsis, GripVertical, Pencil, Power, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import {
  type NewRule,
  type RoutingRule,
  refreshTelephony,
  type TryResult,
  telephonyApi,
} from '../telephony-queries.ts'

interface RuleRowProps {
  rule: RoutingRule
  position: number
  matchText: string
  actionText: string
  /** From a tried call. */
  checkResult: TryResult['checked'][number] | undefined
  canEdit: boolean
  isDragged: boolean
  onEdit: () => void
  onStep: (step: 1 | -1) => void
  onDragStart: () => void
  onDragOver: () => void
  onDragEnd: () => void
}

export function RuleRow(props: RuleRowProps) {
  const { rule, position, matchText, actionText, checkResult, canEdit, isDragged } = props
  const { name, enabled, problem } = rule
  return (
    <li
      aria-current={checkResult?.answers || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        props.onDragOver()
      }}
      onDrop={(event) => event.preventDefault()}
      className={`relative flex items-center gap-12 border-neutral-6 border-b px-16 py-8 text-13 hover:bg-hover aria-[current=true]:bg-selection-wash md:px-24 ${isDragged ? 'opacity-50' : ''}`}
    >
      {canEdit && <Handle {...props} />}
      <span aria-hidden className="w-16 shrink-0 text-right text-12 text-neutral-11 tabular-nums">
        {position}
      </span>
      <span className={`min-w-0 flex-1 ${enabled ? '' : 'text-neutral-11'}`}>
        <button
          type="button"
          data-row-link={rule.id}
          title={name}
          disabled={!canEdit}
          onClick={props.onEdit}
          className="row-link block max-w-full truncate text-left font-medium outline-none focus-visible:underline"
        >
          <Name>{name}</Name>
        </button>
        <span className="block truncate text-12 text-neutral-11" title={matchText}>
          {matchText}
        </span>
        <span className="@medium:hidden flex min-w-0 items-baseline gap-8">
          <ActionText rule={rule} actionText={actionText} />
        </span>
        {problem && <span className="block text-12 text-bad-text">{problem}</span>}
        {checkResult && (
          <span
            className={`block text-12 ${checkResult.answers ? 'font-medium text-selection-text' : 'text-neutral-11'}`}
          >
            {checkResult.answers ? t`Answers. ` : ''}
            {checkResult.explanation}
          </span>
        )}
      </span>
      <span className="@max-medium:hidden min-w-0 max-w-1/3 text-right">
        <ActionText rule={rule} actionText={actionText} />
      </span>
      {canEdit && <RuleMenu rule={rule} onEdit={props.onEdit} />}
    </li>
  )
}

/** Only agents and workflows run with a member's permissions. */
function ActionText({
  rule: { enabled, action, runsAs },
  actionText,
}: Pick<RuleRowProps, 'rule' | 'actionText'>) {
  const hasRights = action.type === 'agent' || action.type === 'workflow'
  return (
    <>
      <span className="block truncate" title={actionText}>
        <Name>{actionText}</Name>
      </span>
      {!enabled && <Status meaning="neutral">Off</Status>}
      {enabled && hasRights && (
        <span
          className="block truncate text-12 text-neutral-11"
          title={textWithNames`With ${runsAs.name}’s permissions`}
        >
          Runs as <Name>{runsAs.name}</Name>
        </span>
      )}
    </>
  )
}

function Handle({ rule: { name }, position, onStep, onDragStart, onDragEnd }: RuleRowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (!step) return
    event.preventDefault()
    onStep(step)
  }
  return (
    <button
      type="button"
      draggable
      aria-label={textWithNames`Move ${name}, position ${position}: arrow keys`}
      title="Drag or use the arrow keys"
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        const row = event.currentTarget.closest('li')
        if (row) event.dataTransfer.setDragImage(row, 0, 0)
        event.dataTransfer.effectAllowed = 'move'
        onDragStart()
      }}
      onDragEnd={onDragEnd}
      className="relative z-10 -ml-8 flex size-24 shrink-0 cursor-grab items-center justify-center rounded-control text-neutral-10 hover:bg-hover hover:text-neutral-12"
    >
      <GripVertical aria-hidden className="icon" />
    </button>
  )
}

function RuleMenu({ rule, onEdit }: { rule: RoutingRule; onEdit: () => void }) {
  const { id, name, enabled } = rule
  return (
    <span className="relative">
      <Menu
        trigger={
          <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${name}`}>
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuAction icon={Pencil} label="Edit" onSelect={onEdit} />
        <MenuAction
          icon={Power}
          label={enabled ? t`Turn off` : t`Turn on`}
          onSelect={() => void setEnabled(rule, !enabled)}
        />
        <MenuAction icon={CopyPlus} label="Duplicate" onSelect={() => void duplicate(rule)} />
        <MenuAction icon={Copy} label="Copy rule ID" onSelect={() => void copyWithToast(id, t`rule ID`)} />
        <MenuAction icon={Trash2} label="Delete" onSelect={() => void remove(rule)} />
      </Menu>
    </span>
  )
}

async function setEnabled({ id, name }: RoutingRule, enabled: boolean): Promise<void> {
  await attempt(async () => {
    const changed = await telephonyApi.routing.update({ id, enabled })
    toast(enabled ? withNames`Turned on ${name}` : withNames`Turned off ${name}`, {
      label: t`Undo`,
      run: () => void setEnabled(changed, !enabled),
    })
  })
}

async function duplicate({ name, match, action, fallback }: RoutingRule): Promise<void> {
  await attempt(async () => {
    const copy = await telephonyApi.routing.create({
      name: t`Copy of ${name}`.slice(0, 80),
      match,
      action,
      fallback,
      enabled: false,
    })
    toast(withNames`Created ${copy.name} (turned off)`)
  })
}

/** Undo creates the same rule under a new id. */
async function remove(rule: RoutingRule): Promise<void> {
  const { name, priority, enabled, match, action, fallback } = rule
  const restored: NewRule = { name, priority, enabled, match, action, fallback }
  await attempt(async () => {
    await telephonyApi.routing.remove({ id: rule.id })
    toast(withNames`Deleted ${name}`, {
      label: t`Undo`,
      run: () => void attempt(() => telephonyApi.routing.create(restored)),
    })
  })
}

async function attempt(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    toastFailure(error)
  }
  await refreshTelephony()
}
